/** Guards of `ArrayBuffer` and the typed arrays: their bytes lie outside the heap, where no heap limit sees them. */
import { bufferByteLength, viewExtent } from "../web/bytes.js";
import type { Guards } from "./guard.js";

const VIEWS = [
  "Int8Array",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int16Array",
  "Uint16Array",
  "Int32Array",
  "Uint32Array",
  "BigInt64Array",
  "BigUint64Array",
  "Float16Array",
  "Float32Array",
  "Float64Array",
];

/** V8's longest buffer; more is a RangeError of the native at once. */
const MAX_BYTES = 2 ** 53;

export function guardBuffers(guards: Guards): void {
  const { limits } = guards;
  const bytesOf = (value: unknown): number => (typeof value === "number" && value > 0 && value < MAX_BYTES ? value : 0);

  guards.constructorOf(globalThis, "ArrayBuffer", ([length, options]: any) => {
    let bytes = bytesOf(length);
    if (typeof options === "object" && options !== null) {
      const most: unknown = guards.ownValue(options, "maxByteLength");
      // Only reserved, but what is reserved can be used without another call.
      bytes = Math.max(bytes, bytesOf(most));
    }
    limits.chargeBytes(bytes, "ArrayBuffer");
  });
  for (const name of VIEWS) {
    const size = (globalThis as unknown as Record<string, { BYTES_PER_ELEMENT: number }>)[name]?.BYTES_PER_ELEMENT ?? 0;
    guards.constructorOf(globalThis, name, ([source]: any) => {
      if (typeof source === "number") {
        limits.chargeBytes(bytesOf(source) * size, name);
      } else if (typeof source === "object" && source !== null && bufferByteLength(source) === undefined) {
        const length = viewExtent(source)?.length ?? guards.lengthOf(source);
        limits.chargeBytes(length * size, name);
        limits.chargeSteps(length, name);
      }
    });
  }

  const prototype = ArrayBuffer.prototype;
  guards.method(prototype, "slice", (buffer) =>
    limits.chargeBytes(bufferByteLength(buffer) ?? 0, "ArrayBuffer.prototype.slice"),
  );
  guards.method(prototype, "resize", (_buffer, [length]: any) =>
    limits.chargeBytes(bytesOf(length), "ArrayBuffer.prototype.resize"),
  );
  for (const name of ["transfer", "transferToFixedLength"]) {
    guards.method(prototype, name, (buffer, [length]: any) => {
      const size = bufferByteLength(buffer) ?? 0;
      limits.chargeBytes(
        Math.max(0, (length === undefined ? size : bytesOf(length)) - size),
        `ArrayBuffer.prototype.${name}`,
      );
    });
  }
  const views = Object.getPrototypeOf(Uint8Array.prototype);
  for (const name of ["toReversed", "toSorted", "with"]) {
    guards.method(views, name, (view) =>
      limits.chargeBytes(viewExtent(view)?.byteLength ?? 0, `%TypedArray%.prototype.${name}`),
    );
  }
  for (const name of ["join", "toString", "toLocaleString"]) {
    guards.method(views, name, (view, [separator]: any) => {
      const length = viewExtent(view)?.length ?? 0;
      const text = typeof separator === "string" ? separator.length : 1;
      limits.chargeBytes(length * (text + 3), `%TypedArray%.prototype.${name}`);
    });
  }
}
