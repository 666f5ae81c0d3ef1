export const connection = {
  lost: '“koab serve” does not answer: it was stopped, or the connection to it broke off.',
  trying: 'Trying again…',
  signedOut: '“koab serve” does not know this tab any more: it was started anew.',
  onlyLinks: 'A browser opens web pages only. Copy the path, or open it in the program’s own window.',
};
