// A WebDriver session of one WebKitGTK program, by plain HTTP against the W3C endpoints; no dependency.
// The driver and all it starts form one process group, which ends as a whole: killing only the driver can leave the
// program behind.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that takes longer will never be answered: the window hangs. */
const LIMIT_MS = 30_000;
const RETRY_MS = 3_000;
const SCREENSHOT_MS = 8_000;
const FRAMES = `
  const dot = document.createElement('i');
  dot.style.cssText = 'position:fixed;right:0;bottom:0;width:1px;height:1px;z-index:9999';
  document.body.append(dot);
  const end = performance.now() + ${SCREENSHOT_MS};
  const tick = (now) => {
    dot.style.backgroundColor = now % 2 < 1 ? '#888' : '#999';
    if (now < end) requestAnimationFrame(tick);
    else dot.remove();
  };
  requestAnimationFrame(tick);
`;
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

/** A display to draw on: the one there is, or a virtual one. `size` is `WIDTHxHEIGHT`. */
export async function openDisplay(size = '1400x900') {
  if (process.env.DISPLAY) return { display: process.env.DISPLAY, close: () => {} };
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${size}x24`, '-nolisten', 'tcp'], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.stdio[3].once('data', (data) => resolve(String(data).trim()));
  });
  return { display: `:${number}`, close: () => endGroup(server) };
}

/**
 * Starts `binary` under a driver. `env` is added to this process's environment. WEBKIT_DISABLE_DMABUF_RENDERER, which
 * saves a little time elsewhere, must stay unset: with it, a screenshot of a page that nothing scrolls is never taken.
 */
export async function openSession({ binary, args = [], env = {} }) {
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, TAURI_WEBVIEW_AUTOMATION: 'true', ...env },
  });
  let failed = null;
  driver.once('error', (error) => (failed = error));
  const base = `http://127.0.0.1:${port}`;
  try {
    for (let tries = 0; !(await answers(`${base}/status`)); tries += 1) {
      if (failed) throw failed;
      if (tries > 100) throw new Error('WebKitWebDriver does not answer');
      await sleep(50);
    }
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary, args } } };
    const { sessionId } = await request('POST', `${base}/session`, { capabilities });
    return new Session(`${base}/session/${sessionId}`, driver);
  } catch (error) {
    endGroup(driver);
    throw error;
  }
}

class Session {
  #url;
  #driver;

  constructor(url, driver) {
    this.#url = url;
    this.#driver = driver;
  }

  async go(url) {
    await request('POST', `${this.#url}/url`, { url });
  }

  async reload() {
    await request('POST', `${this.#url}/refresh`, {});
  }

  async resize(width, height) {
    await request('POST', `${this.#url}/window/rect`, { width, height });
  }

  /** The value of a script body; `arguments` holds `args`. */
  async run(script, ...args) {
    return request('POST', `${this.#url}/execute/sync`, { script, args });
  }

  async click(selector) {
    const found = await request('POST', `${this.#url}/element`, { using: 'css selector', value: selector });
    await request('POST', `${this.#url}/element/${found[ELEMENT]}/click`, {});
  }

  /** Text of the first match, or `null`. */
  async text(selector) {
    return this.run('return document.querySelector(arguments[0])?.textContent.trim() ?? null', selector);
  }

  async texts(selector) {
    return this.run('return [...document.querySelectorAll(arguments[0])].map((e) => e.textContent.trim())', selector);
  }

  /** Picks an option of a select element as a user would. */
  async select(selector, value) {
    await this.run(
      `const element = document.querySelector(arguments[0]);
       element.value = arguments[1];
       element.dispatchEvent(new Event('change', { bubbles: true }));`,
      selector,
      value,
    );
  }

  /** Replaces what a text field holds. */
  async type(selector, text) {
    await this.run(
      `const element = document.querySelector(arguments[0]);
       element.value = arguments[1];
       element.dispatchEvent(new Event('input', { bubbles: true }));`,
      selector,
      text,
    );
  }

  /** Waits until the script body returns something true, and returns it. */
  async until(what, script, limitMs = 10_000) {
    const end = Date.now() + limitMs;
    for (;;) {
      // A script that meets a page being left is never answered; the next try meets the new page.
      const url = `${this.#url}/execute/sync`;
      const value = await request('POST', url, { script, args: [] }, RETRY_MS).catch((error) => {
        if (error.name !== 'TimeoutError') throw error;
      });
      if (value) return value;
      if (Date.now() > end) throw new Error(`waited ${limitMs} ms in vain for: ${what}`);
      await sleep(50);
    }
  }

  /**
   * Writes what the window shows. WebKit waits for a frame before it answers, and a page at rest paints none: a corner
   * of one pixel keeps changing meanwhile. A picture is for people to look at and no check, so one that cannot be had
   * after all is told and no more.
   */
  async screenshot(file) {
    for (let tries = 0; tries < 3; tries += 1) {
      try {
        await this.run(FRAMES);
        // What was changed just before must have been painted.
        await sleep(300);
        const picture = await request('GET', `${this.#url}/screenshot`, undefined, SCREENSHOT_MS);
        return await writeFile(file, Buffer.from(picture, 'base64'));
      } catch (error) {
        console.error(`no picture ${file} at try ${tries + 1}: ${error.message}`);
      }
    }
  }

  async close() {
    await request('DELETE', this.#url).catch(() => {});
    endGroup(this.#driver);
  }
}

async function request(method, url, body, limitMs = LIMIT_MS) {
  const signal = AbortSignal.timeout(limitMs);
  const response = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${url}: ${value?.error}: ${value?.message}`);
  return value;
}

async function answers(url) {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function endGroup(child) {
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // Already gone.
  }
}
