/**
 * About how many tokens a language model's tokenizer makes of a text. Byte-pair tokenizers keep common words whole and cut
 * names, numbers and punctuation; counting those pieces comes within a few per cent of `o200k_base` on signatures and prose,
 * without the megabytes of a vocabulary.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{L}+|\p{N}{1,3}|[^\s\p{L}\p{N}]+|\n+/gu)) {
    const first = piece.charCodeAt(0);
    if (first > 0x2e80) tokens += piece.length;
    else if (/^\p{L}/u.test(piece)) tokens += piece.length <= 7 ? 1 : piece.length / 6;
    else if (first > 47 && first < 58) tokens += 1;
    else tokens += Math.max(1, piece.length / 2);
  }
  return Math.ceil(tokens);
}
