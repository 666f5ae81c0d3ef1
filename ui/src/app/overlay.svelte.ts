// The one thing that the app itself may show over a screen.

export type Over = 'palette' | 'shortcuts' | 'glossary' | 'about';

export class Overlay {
  shown = $state<Over | null>(null);

  /** The metric that the glossary begins with. */
  metric: string | null = null;

  show = (over: Over, metric: string | null = null): void => {
    this.metric = metric;
    this.shown = over;
  };

  close = (): void => {
    this.shown = null;
  };

  toggle = (over: Over): void => {
    this.shown = this.shown === over ? null : over;
  };
}
