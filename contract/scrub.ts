import { open, type Secret } from './secret.ts';

const shortest = 4;

/**
 * Takes every secret it has learnt out of a text: as it is, in any case, URL-encoded, JSON- or HTML-escaped,
 * in base64 and in hex, and also a part of one, because providers echo the first characters of a token.
 */
export class Scrubber {
  readonly #learnt = new Set<string>();
  readonly #unread: string[] = [];
  /** The pieces that give a secret away, by their length. */
  readonly #pieces = new Map<number, Set<string>>();

  /** Learns a secret. Texts of fewer than four characters cannot be told from chance, and are let be. */
  learn(secret: Secret): void {
    const text = open(secret);
    if (text.length < shortest || this.#learnt.has(text)) return;
    this.#learnt.add(text);
    this.#unread.push(text);
  }

  /** The text with `[secret]` wherever a learnt secret, or a telling part of one, stood. */
  scrub(text: string): string {
    for (const secret of this.#unread.splice(0)) this.#cut(secret);
    const lower = text.toLowerCase();
    const hidden = new Uint8Array(text.length);
    for (const [size, pieces] of this.#pieces)
      for (let at = 0; at + size <= lower.length; at++)
        if (pieces.has(lower.slice(at, at + size))) hidden.fill(1, at, at + size);
    let clean = '';
    for (let at = 0; at < text.length; at++) {
      if (hidden[at] === 0) clean += text[at];
      else if (at === 0 || hidden[at - 1] === 0) clean += '[secret]';
    }
    return clean;
  }

  #cut(secret: string): void {
    for (const form of formsOf(secret)) {
      const size = Math.min(form.length, Math.max(6, Math.min(12, Math.floor(form.length / 2))));
      const pieces = this.#pieces.get(size) ?? new Set();
      this.#pieces.set(size, pieces);
      for (let at = 0; at + size <= form.length; at++)
        pieces.add(form.slice(at, at + size).toLowerCase());
    }
  }
}

/** The forms in which a text is found again in logs, reports and addresses. */
function formsOf(secret: string): Set<string> {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
    bytes.toString('hex'),
    ...base64Of(bytes),
  ];
  return new Set(forms.filter((form) => form.length >= shortest));
}

/** Base64 at each of the three places where the text may begin in a longer one, less the characters it shares. */
function base64Of(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const own = encoded.slice(
      before === 0 ? 0 : before + 1,
      encoded.length - ((bytes.length + before) % 3 === 0 ? 0 : 1),
    );
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
