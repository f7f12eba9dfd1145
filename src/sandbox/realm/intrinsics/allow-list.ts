/**
 * Every property of every intrinsic object that a program may reach (ECMA-262 "Well-Known Intrinsic Objects", ECMA-402).
 *
 * What is not listed is deleted when the realm boots, so a newer engine cannot open a hole; what is listed and absent in the
 * running engine is no fault. Keys are paths from the global object, or the specification's `%Name%` for objects without
 * a global path. `@@x` is `Symbol.x`. The `length` and `name` of a function are always allowed.
 *
 * Left out on purpose: `eval`, `WebAssembly`, `SharedArrayBuffer`, `Atomics` (code and shared memory); the engine's `console`
 * (ours is another object); `Error.captureStackTrace`, `Error.stackTraceLimit`, `Error.prepareStackTrace` (host frames);
 * the legacy static properties of `RegExp` (`$1`, `input`, …: data of other matches) and `RegExp.prototype.compile`;
 * `Temporal` (until every supported Node has it).
 */
export const ALLOWED: Readonly<Record<string, string>> = {
  Object:
    "prototype assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf groupBy hasOwn is isExtensible isFrozen isSealed keys preventExtensions seal setPrototypeOf values",
  "Object.prototype":
    "constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__",
  Function: "prototype",
  "Function.prototype": "constructor apply bind call toString arguments caller @@hasInstance",
  Boolean: "prototype",
  "Boolean.prototype": "constructor toString valueOf",
  Symbol:
    "prototype for keyFor asyncDispose asyncIterator dispose hasInstance isConcatSpreadable iterator match matchAll replace search species split toPrimitive toStringTag unscopables",
  "Symbol.prototype": "constructor description toString valueOf @@toPrimitive @@toStringTag",

  Error: "prototype isError",
  "Error.prototype": "constructor message name toString",
  AggregateError: "prototype",
  "AggregateError.prototype": "constructor message name",
  EvalError: "prototype",
  "EvalError.prototype": "constructor message name",
  RangeError: "prototype",
  "RangeError.prototype": "constructor message name",
  ReferenceError: "prototype",
  "ReferenceError.prototype": "constructor message name",
  SuppressedError: "prototype",
  "SuppressedError.prototype": "constructor message name",
  SyntaxError: "prototype",
  "SyntaxError.prototype": "constructor message name",
  TypeError: "prototype",
  "TypeError.prototype": "constructor message name",
  URIError: "prototype",
  "URIError.prototype": "constructor message name",

  Number:
    "prototype EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite isInteger isNaN isSafeInteger parseFloat parseInt",
  "Number.prototype": "constructor toExponential toFixed toLocaleString toPrecision toString valueOf",
  BigInt: "prototype asIntN asUintN",
  "BigInt.prototype": "constructor toLocaleString toString valueOf @@toStringTag",
  Math: "@@toStringTag E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1 f16round floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt sumPrecise tan tanh trunc",
  Date: "prototype UTC now parse",
  "Date.prototype":
    "constructor getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getYear setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds setYear toDateString toGMTString toISOString toJSON toLocaleDateString toLocaleString toLocaleTimeString toString toTimeString toUTCString valueOf @@toPrimitive",

  String: "prototype fromCharCode fromCodePoint raw",
  "String.prototype":
    "constructor length anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize includes indexOf isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search slice small split startsWith strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart valueOf @@iterator",
  "%StringIteratorPrototype%": "next @@toStringTag",
  RegExp: "prototype escape @@species",
  "RegExp.prototype":
    "constructor dotAll exec flags global hasIndices ignoreCase multiline source sticky test toString unicode unicodeSets @@match @@matchAll @@replace @@search @@split",
  "%RegExpStringIteratorPrototype%": "next @@toStringTag",

  Array: "prototype from fromAsync isArray of @@species",
  "Array.prototype":
    "constructor length at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice some sort splice toLocaleString toReversed toSorted toSpliced toString unshift values with @@iterator @@unscopables",
  "Array.prototype.@@unscopables":
    "at copyWithin entries fill find findIndex findLast findLastIndex flat flatMap includes keys toReversed toSorted toSpliced values",
  "%ArrayIteratorPrototype%": "next @@toStringTag",
  "%TypedArray%": "prototype from of @@species",
  "%TypedArray%.prototype":
    "constructor at buffer byteLength byteOffset copyWithin entries every fill filter find findIndex findLast findLastIndex forEach includes indexOf join keys lastIndexOf length map reduce reduceRight reverse set slice some sort subarray toLocaleString toReversed toSorted toString values with @@iterator @@toStringTag",
  Int8Array: "prototype BYTES_PER_ELEMENT",
  "Int8Array.prototype": "constructor BYTES_PER_ELEMENT",
  Uint8Array: "prototype BYTES_PER_ELEMENT fromBase64 fromHex",
  "Uint8Array.prototype": "constructor BYTES_PER_ELEMENT setFromBase64 setFromHex toBase64 toHex",
  Uint8ClampedArray: "prototype BYTES_PER_ELEMENT",
  "Uint8ClampedArray.prototype": "constructor BYTES_PER_ELEMENT",
  Int16Array: "prototype BYTES_PER_ELEMENT",
  "Int16Array.prototype": "constructor BYTES_PER_ELEMENT",
  Uint16Array: "prototype BYTES_PER_ELEMENT",
  "Uint16Array.prototype": "constructor BYTES_PER_ELEMENT",
  Int32Array: "prototype BYTES_PER_ELEMENT",
  "Int32Array.prototype": "constructor BYTES_PER_ELEMENT",
  Uint32Array: "prototype BYTES_PER_ELEMENT",
  "Uint32Array.prototype": "constructor BYTES_PER_ELEMENT",
  BigInt64Array: "prototype BYTES_PER_ELEMENT",
  "BigInt64Array.prototype": "constructor BYTES_PER_ELEMENT",
  BigUint64Array: "prototype BYTES_PER_ELEMENT",
  "BigUint64Array.prototype": "constructor BYTES_PER_ELEMENT",
  Float16Array: "prototype BYTES_PER_ELEMENT",
  "Float16Array.prototype": "constructor BYTES_PER_ELEMENT",
  Float32Array: "prototype BYTES_PER_ELEMENT",
  "Float32Array.prototype": "constructor BYTES_PER_ELEMENT",
  Float64Array: "prototype BYTES_PER_ELEMENT",
  "Float64Array.prototype": "constructor BYTES_PER_ELEMENT",
  ArrayBuffer: "prototype isView @@species",
  "ArrayBuffer.prototype":
    "constructor byteLength detached maxByteLength resizable resize slice transfer transferToFixedLength @@toStringTag",
  DataView: "prototype",
  "DataView.prototype":
    "constructor buffer byteLength byteOffset getBigInt64 getBigUint64 getFloat16 getFloat32 getFloat64 getInt16 getInt32 getInt8 getUint16 getUint32 getUint8 setBigInt64 setBigUint64 setFloat16 setFloat32 setFloat64 setInt16 setInt32 setInt8 setUint16 setUint32 setUint8 @@toStringTag",

  Map: "prototype groupBy @@species",
  "Map.prototype":
    "constructor clear delete entries forEach get getOrInsert getOrInsertComputed has keys set size values @@iterator @@toStringTag",
  "%MapIteratorPrototype%": "next @@toStringTag",
  Set: "prototype @@species",
  "Set.prototype":
    "constructor add clear delete difference entries forEach has intersection isDisjointFrom isSubsetOf isSupersetOf keys size symmetricDifference union values @@iterator @@toStringTag",
  "%SetIteratorPrototype%": "next @@toStringTag",
  WeakMap: "prototype",
  "WeakMap.prototype": "constructor delete get getOrInsert getOrInsertComputed has set @@toStringTag",
  WeakSet: "prototype",
  "WeakSet.prototype": "constructor add delete has @@toStringTag",
  WeakRef: "prototype",
  "WeakRef.prototype": "constructor deref @@toStringTag",
  FinalizationRegistry: "prototype",
  "FinalizationRegistry.prototype": "constructor register unregister @@toStringTag",

  JSON: "isRawJSON parse rawJSON stringify @@toStringTag",
  Reflect:
    "apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has isExtensible ownKeys preventExtensions set setPrototypeOf @@toStringTag",
  Proxy: "revocable",

  Promise: "prototype all allSettled any race reject resolve try withResolvers @@species",
  "Promise.prototype": "constructor catch finally then @@toStringTag",
  "%AsyncFunction%": "prototype",
  "%AsyncFunction.prototype%": "constructor @@toStringTag",
  "%GeneratorFunction%": "prototype",
  "%GeneratorFunction.prototype%": "constructor prototype @@toStringTag",
  "%GeneratorPrototype%": "constructor next return throw @@toStringTag",
  "%AsyncGeneratorFunction%": "prototype",
  "%AsyncGeneratorFunction.prototype%": "constructor prototype @@toStringTag",
  "%AsyncGeneratorPrototype%": "constructor next return throw @@toStringTag",
  Iterator: "prototype concat from",
  "Iterator.prototype":
    "constructor drop every filter find flatMap forEach map reduce some take toArray @@dispose @@iterator @@toStringTag",
  "%IteratorHelperPrototype%": "next return @@iterator @@toStringTag",
  "%ConcatIteratorPrototype%": "next return @@iterator @@toStringTag",
  "%WrapForValidIteratorPrototype%": "next return @@iterator",
  "%AsyncIteratorPrototype%": "@@asyncDispose @@asyncIterator",
  DisposableStack: "prototype",
  "DisposableStack.prototype": "constructor adopt defer dispose disposed move use @@dispose @@toStringTag",
  AsyncDisposableStack: "prototype",
  "AsyncDisposableStack.prototype":
    "constructor adopt defer disposeAsync disposed move use @@asyncDispose @@toStringTag",

  Intl: "Collator DateTimeFormat DisplayNames DurationFormat ListFormat Locale NumberFormat PluralRules RelativeTimeFormat Segmenter getCanonicalLocales supportedValuesOf @@toStringTag",
  "Intl.Collator": "prototype supportedLocalesOf",
  "Intl.Collator.prototype": "constructor compare resolvedOptions @@toStringTag",
  "Intl.DateTimeFormat": "prototype supportedLocalesOf",
  "Intl.DateTimeFormat.prototype":
    "constructor format formatRange formatRangeToParts formatToParts resolvedOptions @@toStringTag",
  "Intl.DisplayNames": "prototype supportedLocalesOf",
  "Intl.DisplayNames.prototype": "constructor of resolvedOptions @@toStringTag",
  "Intl.DurationFormat": "prototype supportedLocalesOf",
  "Intl.DurationFormat.prototype": "constructor format formatToParts resolvedOptions @@toStringTag",
  "Intl.ListFormat": "prototype supportedLocalesOf",
  "Intl.ListFormat.prototype": "constructor format formatToParts resolvedOptions @@toStringTag",
  "Intl.Locale": "prototype",
  "Intl.Locale.prototype":
    "constructor baseName calendar calendars caseFirst collation collations firstDayOfWeek getCalendars getCollations getHourCycles getNumberingSystems getTextInfo getTimeZones getWeekInfo hourCycle hourCycles language maximize minimize numberingSystem numberingSystems numeric region script textInfo timeZones toString variants weekInfo @@toStringTag",
  "Intl.NumberFormat": "prototype supportedLocalesOf",
  "Intl.NumberFormat.prototype":
    "constructor format formatRange formatRangeToParts formatToParts resolvedOptions @@toStringTag",
  "Intl.PluralRules": "prototype supportedLocalesOf",
  "Intl.PluralRules.prototype": "constructor resolvedOptions select selectRange @@toStringTag",
  "Intl.RelativeTimeFormat": "prototype supportedLocalesOf",
  "Intl.RelativeTimeFormat.prototype": "constructor format formatToParts resolvedOptions @@toStringTag",
  "Intl.Segmenter": "prototype supportedLocalesOf",
  "Intl.Segmenter.prototype": "constructor resolvedOptions segment @@toStringTag",
  "%SegmentsPrototype%": "containing @@iterator",
  "%SegmentIteratorPrototype%": "next @@toStringTag",
};

/** Global functions and values; constructors and namespaces above are globals as well where their key has no dot. */
export const ALLOWED_GLOBALS =
  "Infinity NaN undefined decodeURI decodeURIComponent encodeURI encodeURIComponent escape isFinite isNaN parseFloat parseInt unescape globalThis";
