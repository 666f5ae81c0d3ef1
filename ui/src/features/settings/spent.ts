// What was spent today, in a line.
import type { SettingsView } from '../../ipc/gen';
import type { Language, Messages } from '../../locales';
import { count, dollars } from '../../shared/format';

type Spent = Pick<SettingsView, 'spent_today_usd' | 'spent_today_tokens'>;

/** Tokens without a cost are those of models without a price: nothing is known of what they cost. */
export function spentToday(
  { spent_today_usd: usd, spent_today_tokens }: Spent,
  t: Messages,
  language: Language,
): string {
  const tokens = count(spent_today_tokens, language);
  if (usd === 0 && spent_today_tokens > 0) return t.settings.runs.spentUnpriced(tokens);
  return t.settings.runs.spent(dollars(usd, language), tokens);
}
