// What draws the pages, in the words that whoever helps with a fault understands.

/** The engine's name and version out of what it calls itself; the whole of it where that is none we know. */
export function webEngine(agent: string): string {
  const known: [string, RegExp][] = [
    ['Edge or WebView2', /Edg\/([\d.]+)/],
    ['Chromium', /(?:Headless)?Chrome\/([\d.]+)/],
    ['Firefox', /Firefox\/([\d.]+)/],
    ['WebKit', /AppleWebKit\/([\d.]+)/],
  ];
  for (const [name, pattern] of known) {
    const version = pattern.exec(agent)?.[1];
    if (version) return `${name} ${version}`;
  }
  return agent;
}
