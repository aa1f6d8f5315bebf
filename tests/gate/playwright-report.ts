import { inflateRawSync } from 'node:zlib';

const endSign = 0x06054b50;
const entrySign = 0x02014b50;
const deflated = 8;

/**
 * The files inside Playwright's HTML report, which contains its data as a zip in base64.
 * @throws when there are none, so that a test does not search an empty list
 */
export function embedded(html: string): Map<string, string> {
  const [, base64] = /data:application\/zip;base64,([A-Za-z0-9+/=]+)/.exec(html) ?? [];
  if (base64 === undefined) throw new Error('there is no zip in this page');
  return unzipped(Buffer.from(base64, 'base64'));
}

/** The files in a zip. */
export function unzipped(zip: Buffer): Map<string, string> {
  const end = zip.lastIndexOf(Buffer.from(Uint32Array.of(endSign).buffer));
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  const files = new Map<string, string>();
  for (let entry = 0; entry < count; entry++) {
    if (zip.readUInt32LE(at) !== entrySign) throw new Error('this is no entry of a zip');
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((field) =>
      zip.readUInt16LE(at + field),
    ) as [number, number, number];
    const name = zip.toString('utf8', at + 46, at + 46 + nameSize);
    files.set(name, contents(zip, at).toString());
    at += 46 + nameSize + extraSize + commentSize;
  }
  if (files.size === 0) throw new Error('the zip is empty');
  return files;
}

/** @param at the position of the file's entry in the zip's central directory */
function contents(zip: Buffer, at: number): Buffer {
  const method = zip.readUInt16LE(at + 10);
  const size = zip.readUInt32LE(at + 20);
  const local = zip.readUInt32LE(at + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const bytes = zip.subarray(start, start + size);
  return method === deflated ? inflateRawSync(bytes) : bytes;
}
