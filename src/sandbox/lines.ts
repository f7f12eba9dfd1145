/** Splits a byte stream into lines of UTF-8 text. JSON text has no line break inside. */
export class Lines {
  #parts: Buffer[] = [];
  #length = 0;
  #longest: number;
  #receive: (line: string) => void;
  #tooLong: () => void;

  /** `tooLong` is called, once, for a line of more than `longest` bytes; nothing is received after that. */
  constructor(longest: number, receive: (line: string) => void, tooLong: () => void = () => {}) {
    this.#longest = longest;
    this.#receive = receive;
    this.#tooLong = tooLong;
  }

  /** Takes the next bytes, which must not change afterwards. */
  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      if (this.#length > this.#longest) return;
      const line =
        this.#parts.length === 1 ? this.#parts[0]!.toString() : Buffer.concat(this.#parts, this.#length).toString();
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      this.#receive(line);
    }
    this.#add(chunk.subarray(start));
  }

  #add(part: Buffer): void {
    if (this.#length > this.#longest) return;
    this.#length += part.length;
    if (this.#length > this.#longest) {
      this.#parts = [];
      this.#tooLong();
    } else {
      this.#parts.push(part);
    }
  }
}
