/** UTF-8 (Encoding Standard §8.1): a string as bytes. A lone surrogate becomes U+FFFD. */

/**
 * Writes as many whole code points as fit, from `start` on.
 * @returns code units read and bytes written.
 */
export function encodeUtf8Into(text: string, target: Uint8Array): { read: number; written: number } {
  const capacity = target.length;
  let read = 0;
  let written = 0;
  while (read < text.length) {
    let point = text.charCodeAt(read);
    let units = 1;
    if (point >= 0xd800 && point <= 0xdfff) {
      const next = point < 0xdc00 && read + 1 < text.length ? text.charCodeAt(read + 1) : 0;
      if (next >= 0xdc00 && next <= 0xdfff) {
        point = 0x10000 + ((point - 0xd800) << 10) + (next - 0xdc00);
        units = 2;
      } else {
        point = 0xfffd;
      }
    }
    const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (written + size > capacity) break;
    if (size === 1) {
      target[written++] = point;
    } else {
      const shift = (size - 1) * 6;
      target[written++] = (0xf00 >> size) | (point >> shift);
      for (let s = shift - 6; s >= 0; s -= 6) target[written++] = 0x80 | ((point >> s) & 0x3f);
    }
    read += units;
  }
  return { read, written };
}

/** The UTF-8 bytes of `text`, in a buffer of their own. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(text.length * 3);
  return target.slice(0, encodeUtf8Into(text, target).written);
}
