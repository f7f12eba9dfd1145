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
      if (this.#length === 0 && chunk.length - start <= this.#longest) {
        // No line in here can be too long: all that end here are decoded together, which is much cheaper than one by one.
        const last = chunk.lastIndexOf(10);
        this.#receiveAll(chunk.toString("utf8", start, last));
        start = last + 1;
        break;
      }
      this.#add(chunk.subarray(start, end));
      if (this.#length > this.#longest) return;
      const line = Buffer.concat(this.#parts, this.#length).toString();
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      this.#receive(line);
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** Receives each line of a text whose last line break is taken off. */
  #receiveAll(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      this.#receive(text.slice(start, end));
      start = end + 1;
    }
    this.#receive(start === 0 ? text : text.slice(start));
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
