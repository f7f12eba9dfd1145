/** Lines of a source text (ECMA-262 §12.3): from offsets to positions. For the realm and for the host. */
import type { Position } from "./index.js";
import { append, stringCharCodeAt } from "./primordials.js";

/** The offsets at which lines start. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const code = stringCharCodeAt(text, i);
    if (code === 10 || code === 0x2028 || code === 0x2029 || (code === 13 && stringCharCodeAt(text, i + 1) !== 10))
      append(starts, i + 1);
  }
  return starts;
}

/** The position of an offset, given where lines start. */
export function positionIn(starts: readonly number[], offset: number): Position {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! + 1 };
}
