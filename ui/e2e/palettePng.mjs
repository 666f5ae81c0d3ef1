// A PNG with a palette in the place of one with full colours: a third to a fifth of the size, and pictures of screens look the same.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

function* chunks(png) {
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function paeth(a, b, c) {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** Width, height and the bytes of red, green and blue of a picture with 8 bits a channel, as a browser writes it. */
function read(png) {
  const parts = [...chunks(png)];
  const head = parts.find(({ type }) => type === 'IHDR').data;
  const [width, height, depth, kind] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
  const channels = { 2: 3, 6: 4 }[kind];
  if (depth !== 8 || !channels) throw new Error(`a PNG of depth ${depth} and kind ${kind} is not read here`);
  const raw = inflateSync(Buffer.concat(parts.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const stride = width * channels;
  let before = Buffer.alloc(stride);
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    const line = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    for (let x = 0; x < stride; x += 1) {
      const [left, up, corner] = [line[x - channels] ?? 0, before[x], before[x - channels] ?? 0];
      line[x] += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
    }
    for (let x = 0; x < width; x += 1) line.copy(pixels, (y * width + x) * 3, x * channels, x * channels + 3);
    before = line;
  }
  return { width, height, pixels };
}

/** Boxes of colours, cut at the median of their widest channel until there are `most`; each answers its colours' mean. */
function palette(counts, most) {
  const channel = (colour, shift) => (colour >> shift) & 255;
  const spread = (box) => {
    const widths = [16, 8, 0].map((shift) => {
      const values = box.map(([colour]) => channel(colour, shift));
      return [Math.max(...values) - Math.min(...values), shift];
    });
    return widths.reduce((widest, one) => (one[0] > widest[0] ? one : widest));
  };
  const boxes = [{ box: [...counts], wide: spread([...counts]) }];
  while (boxes.length < most) {
    boxes.sort((one, other) => other.wide[0] - one.wide[0]);
    const { box, wide } = boxes[0];
    if (wide[0] === 0) break;
    box.sort((one, other) => channel(one[0], wide[1]) - channel(other[0], wide[1]));
    const half = Math.max(1, box.length >> 1);
    boxes.splice(0, 1, ...[box.slice(0, half), box.slice(half)].map((part) => ({ box: part, wide: spread(part) })));
  }
  const index = new Map();
  const colours = boxes.map(({ box }, place) => {
    const all = box.reduce((sum, [, count]) => sum + count, 0);
    for (const [colour] of box) index.set(colour, place);
    return [16, 8, 0].map((shift) =>
      Math.round(box.reduce((sum, [colour, count]) => sum + channel(colour, shift) * count, 0) / all),
    );
  });
  return { index, colours };
}

/** The picture with `most` colours at the most. */
export function palettePng(png, most = 64) {
  const { width, height, pixels } = read(png);
  const counts = new Map();
  const colourAt = (at) => (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
  for (let at = 0; at < pixels.length; at += 3) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
  const { index, colours } = palette(counts, most);
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) rows[y * (width + 1) + 1 + x] = index.get(colourAt((y * width + x) * 3));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const parts = [
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(colours.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([SIGNATURE, ...parts]);
}
