// A Korean keyboard: syllables as an input method makes them, keys included.

/** Types syllables, each given by the stages that it is shown in: `['ㅎ', '하', '한']`. */
export async function compose(page, ...syllables) {
  for (const stages of syllables) {
    for (const stage of stages) await composing(page, stage);
    await commit(page, stages.at(-1));
  }
}

/** Shows a syllable that is not finished. */
export async function composing(page, text) {
  const devtools = await devtoolsOf(page);
  const key = { key: 'Process', code: 'KeyK', windowsVirtualKeyCode: 229 };
  await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await devtools.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

/** Finishes the syllable that is shown. */
export async function commit(page, text) {
  const devtools = await devtoolsOf(page);
  await devtools.send('Input.insertText', { text });
}

/** A key of a Korean layout, which writes a letter of Hangul where its cap says another. */
export async function press(page, letter, code) {
  const devtools = await devtoolsOf(page);
  const key = { key: letter, code, text: letter, windowsVirtualKeyCode: code.charCodeAt(3) };
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
  await devtools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

const sessions = new WeakMap();

async function devtoolsOf(page) {
  if (!sessions.has(page)) sessions.set(page, await page.context().newCDPSession(page));
  return sessions.get(page);
}
