/** The bytes behind an ArrayBuffer, typed array or DataView, read by internal slots: nothing a program put on the object is used. */

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { apply } = Reflect;

type Getter = (this: unknown) => unknown;
const getter = (prototype: object, key: PropertyKey): Getter => getOwnPropertyDescriptor(prototype, key)!.get as Getter;

const TypedArrayPrototype = getPrototypeOf(Uint8Array.prototype);
const typedArrayTag = getter(TypedArrayPrototype, Symbol.toStringTag);
const typedArrayBuffer = getter(TypedArrayPrototype, "buffer");
const typedArrayOffset = getter(TypedArrayPrototype, "byteOffset");
const typedArrayBytes = getter(TypedArrayPrototype, "byteLength");
const typedArrayLength = getter(TypedArrayPrototype, "length");
const viewBuffer = getter(DataView.prototype, "buffer");
const viewOffset = getter(DataView.prototype, "byteOffset");
const viewBytes = getter(DataView.prototype, "byteLength");
const bufferBytes = getter(ArrayBuffer.prototype, "byteLength");
const { isView } = ArrayBuffer;
const { slice: sliceBytes } = ArrayBuffer.prototype;

export type View = ArrayBufferView<ArrayBuffer>;

/** The name of a typed array's kind, e.g. `"Uint8Array"`; `undefined` for anything else. */
export function typedArrayKind(value: unknown): string | undefined {
  return apply(typedArrayTag, value, []) as string | undefined;
}

export function isUint8Array(value: unknown): value is Uint8Array {
  return typedArrayKind(value) === "Uint8Array";
}

/** `byteLength` of an ArrayBuffer; `undefined` for anything else. */
export function bufferByteLength(value: unknown): number | undefined {
  try {
    return apply(bufferBytes, value, []) as number;
  } catch {
    return undefined;
  }
}

export interface Extent {
  readonly buffer: ArrayBuffer;
  readonly byteOffset: number;
  readonly byteLength: number;
  /** Elements; bytes of a DataView. */
  readonly length: number;
}

/** Where a typed array or DataView lies; `undefined` for anything else, or for a DataView out of bounds. */
export function viewExtent(value: unknown): Extent | undefined {
  if (!isView(value)) return undefined;
  const typed = typedArrayKind(value) !== undefined;
  const read = (get: Getter): number => apply(get, value, []) as number;
  try {
    const byteLength = read(typed ? typedArrayBytes : viewBytes);
    return {
      buffer: apply(typed ? typedArrayBuffer : viewBuffer, value, []) as ArrayBuffer,
      byteOffset: read(typed ? typedArrayOffset : viewOffset),
      byteLength,
      length: typed ? read(typedArrayLength) : byteLength,
    };
  } catch {
    return undefined;
  }
}

/** Copies the bytes of a buffer or view into a fresh array; `undefined` when `value` is neither. `charge` is told the size first. */
export function copyBytes(value: unknown, charge: (bytes: number) => void): Uint8Array | undefined {
  const extent = viewExtent(value);
  if (extent !== undefined) {
    charge(extent.byteLength);
    return new Uint8Array(
      apply(sliceBytes, extent.buffer, [extent.byteOffset, extent.byteOffset + extent.byteLength]) as ArrayBuffer,
    );
  }
  const size = bufferByteLength(value);
  if (size === undefined) return undefined;
  charge(size);
  return new Uint8Array(apply(sliceBytes, value, [0]) as ArrayBuffer);
}
