// The one thing that the app itself may show over a screen.

export type Over = 'palette' | 'shortcuts' | 'about';

export class Overlay {
  shown = $state<Over | null>(null);

  show = (over: Over): void => {
    this.shown = over;
  };

  close = (): void => {
    this.shown = null;
  };

  toggle = (over: Over): void => {
    this.shown = this.shown === over ? null : over;
  };
}
