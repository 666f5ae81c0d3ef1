// What went wrong is brought to where the user looks: below the fold, a press on a button would seem to do nothing.

const ALERT = '[role="alert"]';

/** As an attachment of a scroll box: an alert that comes up in it, or still stands when a form in it is sent, is scrolled to. */
export function revealAlerts(box: Element): () => void {
  const reveal = (alert: Element | null) => alert?.scrollIntoView?.({ block: 'nearest' });
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof Element) reveal(node.matches(ALERT) ? node : node.querySelector(ALERT));
    }
  });
  observer.observe(box, { childList: true, subtree: true });
  const sent = () => reveal(box.querySelector(ALERT));
  box.addEventListener('submit', sent);
  return () => {
    observer.disconnect();
    box.removeEventListener('submit', sent);
  };
}
