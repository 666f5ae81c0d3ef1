/** What stands between line ends, or another sign, without the blanks around it; nothing for what is empty. */
export const parted = (text: string, sign = '\n'): string[] =>
  text
    .split(sign)
    .map((part) => part.trim())
    .filter(Boolean);
