export const connection = {
  lost: '“koab serve” does not respond: it was stopped, or the connection was lost.',
  trying: 'Reconnecting…',
  signedOut: '“koab serve” was restarted and no longer knows this tab.',
  onlyLinks: 'A browser opens web pages only. Copy the path, or open it in the application window.',
};
