// src/codemode/tree.ts
function isTool(value) {
  return typeof value.call === "function";
}
function flattenTools(tree) {
  const tools = /* @__PURE__ */ new Map();
  const visit = (namespace, prefix) => {
    for (const [key, value] of Object.entries(namespace)) {
      const segments = [...prefix, ...key.split(".")];
      if (isTool(value)) {
        const name = segments.join(".");
        tools.set(name, { segments, name, tool: value });
      } else {
        visit(value, segments);
      }
    }
  };
  visit(tree, []);
  return tools;
}
var IDENTIFIER_NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
function isIdentifierName(name) {
  return IDENTIFIER_NAME.test(name);
}
function propertyName(name) {
  return isIdentifierName(name) ? name : JSON.stringify(name);
}
function toolExpression(segments) {
  return segments.reduce(
    (path, segment) => path + (isIdentifierName(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`),
    "tools"
  );
}

// src/codemode/tool.ts
var SCHEMA_ANNOTATION = "x-codemode";

// src/discovery/type-node.ts
var word = (text) => ({ kind: "word", text });
var UNKNOWN = word("unknown");
var NEVER = word("never");
var NULL = word("null");
function same(a, b) {
  if (a.kind === "word") return b.kind === "word" && a.text === b.text;
  if (a.kind === "name") return b.kind === "name" && a.pointer === b.pointer;
  if (a.kind === "array") return b.kind === "array" && same(a.item, b.item);
  return false;
}
var PRIMITIVES = {
  string: (literal) => literal.startsWith('"'),
  number: (literal) => /^-?\d/.test(literal),
  boolean: (literal) => literal === "true" || literal === "false"
};
function union(members) {
  const flat = [];
  const words = /* @__PURE__ */ new Set();
  for (const member of members.flatMap((one) => one.kind === "union" ? one.members : [one])) {
    if (member === UNKNOWN) return UNKNOWN;
    if (member === NEVER) continue;
    const isNew = member.kind === "word" ? !words.has(member.text) : !flat.some((other) => same(other, member));
    if (member.kind === "word") words.add(member.text);
    if (isNew) flat.push(member);
  }
  const wide = flat.flatMap((one) => one.kind === "word" && PRIMITIVES[one.text] ? [PRIMITIVES[one.text]] : []);
  const kept = flat.filter((one) => one.kind !== "word" || !wide.some((holds) => holds(one.text)));
  if (kept.length === 0) return NEVER;
  return kept.length === 1 ? kept[0] : { kind: "union", members: kept };
}
function intersection(members) {
  const others = [];
  let merged;
  for (const member of members.flatMap((one) => one.kind === "intersection" ? one.members : [one])) {
    if (member.kind === "object") merged = merged ? mergeObjects(merged, member) : member;
    else if (member !== UNKNOWN && !others.some((other) => same(other, member))) others.push(member);
  }
  const narrowed = others.filter((one) => {
    const holds = one.kind === "word" ? PRIMITIVES[one.text] : void 0;
    return !holds || !others.some((other) => other !== one && literals(other).some(holds) && literals(other).every(holds));
  });
  const vague = merged !== void 0 && merged.properties.length === 0 && merged.rest === UNKNOWN;
  const all = merged && !(vague && narrowed.length > 0) ? [...narrowed, merged] : narrowed;
  if (all.length === 0) return UNKNOWN;
  return all.length === 1 ? all[0] : { kind: "intersection", members: all };
}
function literals(type) {
  if (type.kind === "word") return [type.text];
  return type.kind === "union" ? type.members.flatMap(literals) : [""];
}
function mergeObjects(a, b) {
  const properties = new Map(a.properties.map((property) => [property.name, property]));
  for (const property of b.properties) {
    const other = properties.get(property.name);
    if (!other) properties.set(property.name, property);
    else {
      const type = same(other.type, property.type) ? other.type : intersection([other.type, property.type]);
      properties.set(property.name, { ...property, type, optional: other.optional && property.optional });
    }
  }
  const rest = a.rest && b.rest ? a.rest === UNKNOWN ? b.rest : a.rest : a.rest ?? b.rest;
  const named = [...properties.values()];
  return { kind: "object", properties: named, rest: named.length > 0 && rest === UNKNOWN ? void 0 : rest };
}
function childrenOf(type) {
  switch (type.kind) {
    case "word":
    case "name":
      return [];
    case "union":
    case "intersection":
      return type.members;
    case "array":
      return [type.item];
    case "tuple":
      return [...type.items.map((item) => item.type), ...type.rest ? [type.rest] : []];
    case "object":
      return [...type.properties.map((property) => property.type), ...type.rest ? [type.rest] : []];
  }
}

// src/discovery/compact-type.ts
var ALL = Number.POSITIVE_INFINITY;
var DETAILS = [
  { inline: 4, depth: ALL, properties: ALL, members: ALL },
  { inline: 2, depth: ALL, properties: ALL, members: ALL },
  { inline: 1, depth: ALL, properties: ALL, members: ALL },
  { inline: 0, depth: ALL, properties: ALL, members: ALL },
  { inline: 0, depth: 3, properties: 40, members: 12 },
  { inline: 0, depth: 2, properties: 24, members: 8 },
  { inline: 0, depth: 1, properties: 16, members: 6 },
  { inline: 0, depth: 1, properties: 8, members: 4 },
  { inline: 0, depth: 1, properties: 4, members: 3 }
];
function compactType(type, limit, inline = true) {
  let text = "";
  for (const detail of DETAILS) {
    if (detail.inline > 0 && !inline) continue;
    const writer = new CompactWriter(detail, detail === DETAILS.at(-1) ? ALL : limit);
    text = writer.write(type);
    if (!writer.overflow) return text;
  }
  return text;
}
var CompactWriter = class {
  constructor(detail, limit) {
    this.detail = detail;
    this.limit = limit;
  }
  detail;
  limit;
  overflow = false;
  #size = 0;
  #stack = [];
  write(type, depth = 0) {
    if (this.overflow) return "";
    switch (type.kind) {
      case "word":
        return this.#count(type.text);
      case "name":
        return this.#name(type, depth);
      case "array":
        return this.#count(`${this.#grouped(type.item, depth)}[]`, 2);
      case "tuple": {
        const items = type.items.map(
          ({ type: item, optional }) => optional ? `${this.#grouped(item, depth)}?` : this.write(item, depth)
        );
        if (type.rest) items.push(`...${this.#grouped(type.rest, depth)}[]`);
        return this.#count(`[${items.join(", ")}]`, 2 + 2 * items.length);
      }
      case "union":
        return this.#members(type, depth);
      case "intersection":
        return this.#intersection(type, depth);
      case "object":
        return this.#object(type, depth);
    }
  }
  /** Counts the characters a piece adds (`length` where the parts of `text` are already counted). */
  #count(text, length = text.length) {
    this.#size += length;
    if (this.#size > this.limit) this.overflow = true;
    return text;
  }
  #grouped(type, depth) {
    const text = this.write(type, depth);
    return needsGroup(type, text) ? `(${text})` : text;
  }
  #isInlined(type) {
    return this.#stack.length < this.detail.inline && !this.#stack.includes(type.pointer) && !isRecursiveOrLarge(type);
  }
  #name(type, depth) {
    if (this.#isInlined(type)) {
      this.#stack.push(type.pointer);
      const text = this.write(type.target(), depth);
      this.#stack.pop();
      return text;
    }
    return this.#count(type.name);
  }
  /** Objects that are written out side by side are written as one. */
  #intersection(type, depth) {
    const names = type.members.filter((member) => member.kind === "name" && this.#isInlined(member));
    const whole = intersection(
      type.members.map((one) => one.kind === "name" && names.includes(one) ? one.target() : one)
    );
    if (whole.kind !== "object") return this.#members(type, depth);
    this.#stack.push(...names.map((name) => name.pointer));
    const text = this.#object(whole, depth);
    this.#stack.length -= names.length;
    return text;
  }
  #members(type, depth) {
    const separator = type.kind === "union" ? " | " : " & ";
    const shown = type.kind === "union" ? type.members.slice(0, this.detail.members) : type.members;
    const texts2 = shown.map((member) => {
      const text2 = this.write(member, depth);
      return type.kind === "intersection" && /\|/.test(text2) && needsGroup(member, text2) ? `(${text2})` : text2;
    });
    const unique = [...new Set(texts2)];
    const more = type.members.length - shown.length;
    const text = unique.join(separator) + (more > 0 ? ` /* or ${more} more */` : "");
    return this.#count(text, separator.length * unique.length + (more > 0 ? 18 : 0));
  }
  #object(type, depth) {
    const { properties, rest } = type;
    if (properties.length === 0) {
      if (!rest) return this.#count("{}");
      return this.#count(`Record<string, ${this.write(rest, depth)}>`, 16);
    }
    if (depth >= this.detail.depth) return this.#count(`{ /* ${count(properties.length)} */ }`);
    const shown = mostNeeded(properties, this.detail.properties);
    const parts = shown.map((property) => {
      const key = this.#count(propertyName(property.name) + (property.optional ? "?: " : ": "));
      return key + this.write(property.type, depth + 1);
    });
    if (rest) parts.push(`[key: string]: ${indexType(type, (one) => this.write(one, depth + 1))}`);
    const more = properties.length - shown.length;
    const text = parts.join("; ") + (more > 0 ? `; /* ${more} more */` : "");
    return this.#count(`{ ${text} }`, 4 + 2 * parts.length + (more > 0 ? 16 : 0));
  }
};
var count = (properties) => properties === 1 ? "1 property" : `${properties} properties`;
function mostNeeded(properties, limit) {
  if (properties.length <= limit) return properties;
  const chosen = new Set(
    [...properties.filter((one) => !one.optional), ...properties.filter((one) => one.optional)].slice(0, limit)
  );
  return properties.filter((one) => chosen.has(one));
}
function needsGroup(type, text) {
  if (type.kind === "name") return type.name !== text && needsGroup(type.target(), text);
  return type.kind === "union" || type.kind === "intersection";
}
function indexType(type, write) {
  const rest = write(type.rest);
  if (rest === "unknown") return rest;
  const texts2 = /* @__PURE__ */ new Set([rest, ...type.properties.map((one) => write(one.type))]);
  if (texts2.has("unknown") || texts2.size > 6) return "unknown";
  if (type.properties.some((one) => one.optional)) texts2.add("undefined");
  return [...texts2].join(" | ");
}
var LARGE = 150;
function isRecursiveOrLarge(type) {
  const seen = /* @__PURE__ */ new Set();
  let visited = 0;
  const reaches = (node) => {
    if (++visited > LARGE) return true;
    if (node.kind !== "name") return childrenOf(node).some(reaches);
    if (node.pointer === type.pointer) return true;
    if (seen.has(node.pointer)) return false;
    seen.add(node.pointer);
    return reaches(node.target());
  };
  return reaches(type.target());
}

// src/discovery/schema-type.ts
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var list = (value) => Array.isArray(value) ? value : [];
var RESERVED = /* @__PURE__ */ new Set(["Array", "Record", "Promise", "AsyncIterable", "FileHandle"]);
function typeName(name) {
  const joined = name.split(/[^\p{L}\p{N}$]+/u).filter((part) => part !== "").map((part) => part[0].toUpperCase() + part.slice(1)).join("");
  const identifier = /^[\p{ID_Start}$_]/u.test(joined) ? joined : `_${joined}`;
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}
function uniqueNames() {
  const names = /* @__PURE__ */ new Map();
  const taken = /* @__PURE__ */ new Set();
  return (pointer) => {
    let name = names.get(pointer);
    if (name === void 0) {
      const base = pointerName(pointer);
      name = base;
      for (let n = 2; taken.has(name); n++) name = `${base}_${n}`;
      taken.add(name);
      names.set(pointer, name);
    }
    return name;
  };
}
function pointerName(pointer) {
  return pointer === "#" ? "Root" : typeName(pointer.slice(pointer.lastIndexOf("/") + 1).replaceAll("~1", "/"));
}
function resolveLocal(root, reference) {
  if (!reference.startsWith("#")) return void 0;
  let value = root;
  for (const token of reference.slice(1).split("/").slice(1)) {
    let key = token;
    try {
      key = decodeURIComponent(token);
    } catch {
    }
    key = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return void 0;
    value = value[key];
  }
  return value;
}
var SchemaTypes = class {
  /**
   * @param root the schema that local references resolve in.
   * @param nameOf the identifier of a definition; a declaration file passes its own, which are unique across tools.
   */
  constructor(root, nameOf = uniqueNames(), direction) {
    this.root = root;
    this.nameOf = nameOf;
    this.direction = direction;
  }
  root;
  nameOf;
  direction;
  #definitions = /* @__PURE__ */ new Map();
  /** The type of the root itself. */
  get type() {
    return this.typeOf(this.root);
  }
  typeOf(schema) {
    if (schema === false) return NEVER;
    if (!isObject(schema)) return UNKNOWN;
    const annotation = schema[SCHEMA_ANNOTATION];
    if (annotation === "file") {
      const file = word(this.direction === "input" ? "FileInput" : "FileHandle");
      return schema["nullable"] === true ? union([file, NULL]) : file;
    }
    const parts = [this.#reference(schema), this.#allOf(schema), this.#own(schema), ...this.#alternatives(schema)];
    const type = intersection(parts.filter((part) => part !== void 0));
    return schema["nullable"] === true ? union([type, NULL]) : type;
  }
  /** The definition behind a pointer. */
  definition(pointer) {
    let type = this.#definitions.get(pointer);
    if (!type) {
      type = this.typeOf(resolveLocal(this.root, pointer));
      this.#definitions.set(pointer, type);
    }
    return type;
  }
  #reference(schema) {
    const pointer = schema["$ref"];
    if (typeof pointer !== "string") return void 0;
    const target = resolveLocal(this.root, pointer);
    if (target === void 0) return UNKNOWN;
    return {
      kind: "name",
      name: this.nameOf(pointer, target),
      pointer,
      target: () => this.definition(pointer)
    };
  }
  #allOf(schema) {
    const parts = list(schema["allOf"]);
    if (parts.length === 0) return void 0;
    const required = new Set(
      list(schema["required"]).concat(parts.flatMap((p) => isObject(p) ? list(p["required"]) : []))
    );
    const types = parts.map((part) => {
      const type = this.typeOf(part);
      if (type.kind !== "name") return type;
      const target = this.#objectBehind(type);
      return target?.properties.some((one) => one.optional && required.has(one.name)) ? target : type;
    });
    const whole = intersection(types);
    if (whole.kind !== "object") return whole;
    return {
      ...whole,
      properties: whole.properties.map((one) => required.has(one.name) ? { ...one, optional: false } : one)
    };
  }
  #objectBehind(type) {
    const seen = /* @__PURE__ */ new Set();
    while (type.kind === "name" && !seen.has(type)) {
      seen.add(type);
      type = this.typeOfOnce(type);
    }
    return type.kind === "object" ? type : void 0;
  }
  #open = /* @__PURE__ */ new Set();
  /** The target of a name, `unknown` while that very target is being computed. */
  typeOfOnce(type) {
    if (this.#open.has(type.pointer)) return UNKNOWN;
    this.#open.add(type.pointer);
    try {
      return type.target();
    } finally {
      this.#open.delete(type.pointer);
    }
  }
  /** `oneOf` and `anyOf`, each a union. A branch that only adds `required` says nothing that a type shows. */
  #alternatives(schema) {
    return ["oneOf", "anyOf"].flatMap((keyword) => {
      const branches = list(schema[keyword]);
      if (branches.length === 0) return [];
      const tag = this.#discriminator(schema["discriminator"]);
      const types = branches.map((branch) => tag(branch, this.typeOf(branch)));
      return types.every((type) => type === UNKNOWN) ? [] : [union(types)];
    });
  }
  /** OpenAPI Discriminator Object: a branch whose own tag is any string gets the values that select it. */
  #discriminator(value) {
    const property = isObject(value) ? value["propertyName"] : void 0;
    if (typeof property !== "string") return (_, type) => type;
    const mapping = Object.entries(isObject(value) && isObject(value["mapping"]) ? value["mapping"] : {});
    const last = (reference) => reference.slice(reference.lastIndexOf("/") + 1);
    return (branch, type) => {
      const reference = isObject(branch) ? branch["$ref"] : void 0;
      if (typeof reference !== "string") return type;
      const own = this.#objectBehind(type)?.properties.find((one) => one.name === property);
      if (own && !(own.type.kind === "word" && own.type.text === "string")) return type;
      const name = last(reference);
      const mapped = mapping.filter(([, target]) => typeof target === "string" && last(target) === name);
      const values = mapped.length > 0 ? mapped.map(([tag2]) => tag2) : [name];
      const tag = union(values.map((one) => word(JSON.stringify(one))));
      const tagged = { name: property, optional: false, type: tag, schema: void 0 };
      return intersection([{ kind: "object", properties: [tagged], rest: void 0 }, type]);
    };
  }
  /** What the schema says by its own `const`, `enum`, `type` and the keywords of that type. */
  #own(schema) {
    if (Object.hasOwn(schema, "const")) return this.#literal(schema["const"]);
    if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) {
      return union(schema["enum"].map((value) => this.#literal(value)));
    }
    const types = typeof schema["type"] === "string" ? [schema["type"]] : list(schema["type"]);
    if (types.length > 0) return union(types.map((type) => this.#typed(type, schema)));
    if (isObject(schema["properties"]) || schema["additionalProperties"] !== void 0) return this.#object(schema);
    if (schema["items"] !== void 0 || schema["prefixItems"] !== void 0) return this.#array(schema);
    return void 0;
  }
  #typed(type, schema) {
    switch (type) {
      case "string":
        return this.direction === "input" && schema["format"] === "date-time" ? union([word("string"), word("Date")]) : word("string");
      case "number":
      case "boolean":
      case "null":
        return type === "null" ? NULL : word(type);
      case "integer":
        return this.direction === "input" && schema["format"] === "int64" ? union([word("number"), word("bigint")]) : word("number");
      case "array":
        return this.#array(schema);
      case "object":
        return this.#object(schema);
      default:
        return UNKNOWN;
    }
  }
  #literal(value) {
    if (value === null) return NULL;
    if (typeof value === "string") return word(JSON.stringify(value));
    if (typeof value === "boolean" || typeof value === "number" && Number.isFinite(value)) return word(String(value));
    if (typeof value === "bigint") return word("number");
    if (Array.isArray(value)) {
      return {
        kind: "tuple",
        items: value.map((one) => ({ type: this.#literal(one), optional: false })),
        rest: void 0
      };
    }
    if (!isObject(value)) return UNKNOWN;
    const properties = Object.entries(value).map(
      ([name, one]) => ({ name, optional: false, type: this.#literal(one), schema: void 0 })
    );
    return { kind: "object", properties, rest: void 0 };
  }
  #array(schema) {
    const legacy = Array.isArray(schema["items"]);
    const prefix = legacy ? list(schema["items"]) : list(schema["prefixItems"]);
    const items = legacy ? schema["additionalItems"] : schema["items"];
    if (prefix.length === 0) return { kind: "array", item: items === void 0 ? UNKNOWN : this.typeOf(items) };
    const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
    const most = typeof schema["maxItems"] === "number" ? schema["maxItems"] : Number.POSITIVE_INFINITY;
    const closed = items === false || most <= prefix.length;
    return {
      kind: "tuple",
      items: prefix.map((one, index) => ({ type: this.typeOf(one), optional: index >= least })),
      rest: closed ? void 0 : items === void 0 ? UNKNOWN : this.typeOf(items)
    };
  }
  #object(schema) {
    const declared = isObject(schema["properties"]) ? Object.entries(schema["properties"]) : [];
    const required = new Set(list(schema["required"]));
    const properties = declared.map(
      ([name, property]) => ({
        name,
        optional: !required.has(name),
        type: this.typeOf(property),
        schema: property
      })
    );
    return { kind: "object", properties, rest: this.#rest(schema, properties.length > 0) };
  }
  /** Properties beyond the declared ones: shown where the schema speaks of them, or where it declares none at all. */
  #rest(schema, declares) {
    const additional = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
    const patterns = isObject(schema["patternProperties"]) ? Object.values(schema["patternProperties"]) : [];
    const types = patterns.map((one) => this.typeOf(one));
    if (additional !== void 0 && additional !== false) types.push(this.typeOf(additional));
    if (types.length > 0) return union(types);
    return declares || additional === false ? void 0 : UNKNOWN;
  }
};

// src/discovery/signature.ts
function parameterOf(schema, types) {
  const type = types.type;
  if (schema === void 0) return { type, optional: true };
  if (type.kind !== "object") return { type, optional: type.kind === "word" && type.text === "unknown" };
  if (type.properties.length === 0 && !type.rest) return void 0;
  return { type, optional: type.properties.every((property) => property.optional) };
}
function streamItems(schema) {
  if (typeof schema !== "object" || schema[SCHEMA_ANNOTATION] !== "stream") return void 0;
  return { items: schema["items"] };
}
function resultType(schema, types, write) {
  const stream = streamItems(schema);
  return stream ? `AsyncIterable<${write(types.typeOf(stream.items))}>` : write(types.type);
}
function signatureOf(tool, path, options = {}) {
  const { inputLimit = 900, outputLimit = 400 } = options;
  const { inputSchema, outputSchema } = tool;
  const parameter = parameterOf(inputSchema, new SchemaTypes(inputSchema ?? true));
  const input = parameter ? `input${parameter.optional ? "?" : ""}: ${compactType(parameter.type, inputLimit)}` : "";
  const output = resultType(
    outputSchema,
    new SchemaTypes(outputSchema ?? true),
    (type) => compactType(type, outputLimit)
  );
  return `${path}(${input}): Promise<${output}>`;
}

// src/discovery/catalog.ts
var Entry = class {
  constructor(segments, name, tool) {
    this.segments = segments;
    this.name = name;
    this.tool = tool;
  }
  segments;
  name;
  tool;
  #description;
  #signature;
  get path() {
    return toolExpression(this.segments);
  }
  get description() {
    this.#description ??= describe(this.tool);
    return this.#description;
  }
  get signature() {
    this.#signature ??= signatureOf(this.tool, this.path);
    return this.#signature;
  }
};
function createCatalog(tree) {
  const entries = /* @__PURE__ */ new Map();
  for (const { segments, name, tool } of flattenTools(tree).values()) {
    entries.set(name, new Entry(segments, name, tool));
  }
  return { entries: [...entries.values()], get: (name) => entries.get(name) };
}
var LONGEST_DESCRIPTION = 160;
function describe(tool) {
  const { summary, deprecated } = tool.facts;
  const text = plainText(summary || tool.description);
  const sentence = summary ? text : /^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text;
  const line = shorten(sentence.replace(/(?<!\.)\.$/, ""), LONGEST_DESCRIPTION);
  return deprecated ? `(deprecated) ${line}`.trimEnd() : line;
}
function plainText(markdown) {
  return markdown.replace(/```[\s\S]*?(```|$)/g, " ").replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<\/?[a-zA-Z][^<>]*>/g, " ").replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "").replace(/(\*\*|__|`)/g, "").replace(/\s+/g, " ").trim();
}
function shorten(text, length) {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.\uD800-\uDBFF]+$/, "")}\u2026`;
}

// src/discovery/edit-distance.ts
function editDistance(a, b, most = Number.POSITIVE_INFINITY) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let before = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same2 = a[i - 1] === b[j - 1];
      let cost = Math.min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same2 ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > most) return least;
    before = previous;
    previous = row;
  }
  return previous[b.length];
}

// src/discovery/completion.ts
var MAX_AGE = 24 * 60 * 60 * 1e3;

// src/discovery/definitions.ts
function definitionsOf(tool, signature, limit = 4e3) {
  const lines = [];
  let text = signature;
  let left = limit;
  let omitted = 0;
  const roots = [tool.inputSchema, tool.outputSchema].flatMap((schema) => {
    const types = new SchemaTypes(schema ?? true);
    return [types.typeOf(streamItems(schema)?.items ?? schema)];
  });
  for (const name of namesWithin(roots)) {
    if (!new RegExp(`(?<![\\w$."])${name.name.replaceAll("$", "\\$")}(?![\\w$:?"])`, "u").test(text)) continue;
    const line = `type ${name.name} = ${compactType(name.target(), Math.max(200, Math.min(900, left)), false)}`;
    if (lines.includes(line)) continue;
    if (line.length > left) {
      omitted++;
      continue;
    }
    left -= line.length;
    lines.push(line);
    text += `
${line}`;
  }
  if (omitted > 0) lines.push(`// ${omitted} more`);
  return lines.join("\n");
}
function* namesWithin(roots) {
  const seen = /* @__PURE__ */ new Set();
  let level = [...roots];
  while (level.length > 0) {
    const next = [];
    for (const node of level) {
      if (node.kind !== "name") next.push(...childrenOf(node));
      else if (!seen.has(node.pointer)) {
        seen.add(node.pointer);
        if (seen.size > 200) return;
        yield node;
        next.push(node.target());
      }
    }
    level = next;
  }
}

// src/discovery/words.ts
import { stemmer } from "stemmer";
var STOP_WORDS = new Set(
  "a about after all also am an and any are as at be been before being both but by can could did do does doing for from had has have having he her here hers him his how i if in into is it its just let like may me more most my no not of off on once one only or our out over please same she should so some such tell than that the their them then there these they this those through to too under up us very want was we were what when where which while who whom why will with would you your yours need give via per using use used".split(" ")
);
var ABBREVIATIONS = [
  ["repo", "repository"],
  ["org", "organization"],
  ["pr", "pull"],
  ["env", "environment"],
  ["config", "configuration"],
  ["auth", "authentication"],
  ["app", "application"],
  ["doc", "document"],
  ["db", "database"],
  ["img", "image"],
  ["msg", "message"],
  ["info", "information"],
  ["dir", "directory"],
  ["vm", "machine"],
  ["perm", "permission"],
  ["stat", "statistic"],
  ["ref", "reference"],
  ["dept", "department"],
  ["acct", "account"],
  ["txn", "transaction"],
  ["qty", "quantity"],
  ["num", "number"],
  ["desc", "description"],
  ["addr", "address"],
  ["lang", "language"],
  ["temp", "temperature"]
];
var NORMAL = new Map(ABBREVIATIONS.map(([short, long]) => [short, stemmer(long)]));
var BRITISH = [
  [/isation(s?)$/, "ization$1"],
  [/ise(d|s|r|rs)?$/, "ize$1"],
  [/colour/, "color"]
];
var SINGULAR = /* @__PURE__ */ new Map([
  ["people", "person"],
  ["children", "child"],
  ["men", "man"],
  ["women", "woman"],
  ["indices", "index"],
  ["vertices", "vertex"],
  ["matrices", "matrix"],
  ["criteria", "criterion"],
  ["media", "medium"],
  ["analyses", "analysis"]
]);
var cache = /* @__PURE__ */ new Map();
function normalWord(word2) {
  let form = cache.get(word2);
  if (form === void 0) {
    form = SINGULAR.get(word2) ?? word2;
    if (/^[a-z]{4,}$/.test(form)) for (const [from, to] of BRITISH) form = form.replace(from, to);
    if (/^[a-z']+$/.test(form)) form = NORMAL.get(form) ?? NORMAL.get(form.replace(/s$/, "")) ?? stemmer(form);
    if (cache.size > 1e5) cache.clear();
    cache.set(word2, form);
  }
  return form;
}
function splitWords(text) {
  const plain = /^[\x00-\x7F]*$/.test(text);
  const bare = plain ? text : text.normalize("NFKD").replace(/\p{M}+/gu, "");
  const parts = bare.replace(plain ? /([a-z0-9])([A-Z])/g : /([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(plain ? /([A-Z])([A-Z][a-z])/g : /(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2").replace(/['’]s\b/g, "").toLowerCase().match(plain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu);
  if (!parts) return [];
  return plain ? parts : parts.flatMap(segmented);
}
var segmenter;
function segmented(word2) {
  if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word2)) return [word2];
  segmenter ??= new Intl.Segmenter(void 0, { granularity: "word" });
  return Array.from(segmenter.segment(word2), (part) => part.segment);
}
var texts = /* @__PURE__ */ new Map();
function wordsOf(text) {
  if (text.length > 40) return commonWords(text);
  let words = texts.get(text);
  if (words === void 0) {
    words = commonWords(text);
    if (texts.size > 5e4) texts.clear();
    texts.set(text, words);
  }
  return words;
}
function commonWords(text) {
  const words = [];
  for (const word2 of splitWords(text)) if (!STOP_WORDS.has(word2)) words.push(normalWord(word2));
  return words;
}

// src/discovery/query.ts
var VERBS = {
  read: "list get show find search read fetch look lookup browse count check compare download view see retrieve display query who what which when where how why is are does did was were has many much latest current currently my",
  create: "create add make new post open start submit send upload register generate trigger invite put give attach issue begin launch schedule publish fork copy clone save store insert write charge pay buy order book subscribe follow star request merge approve accept confirm dismiss reject decline react run rerun retry resend redeliver assign block link share notify enroll grant import export convert turn",
  update: "update change edit modify rename set replace move transfer mark enable disable close reopen protect lock",
  delete: "delete remove drop cancel revoke destroy erase clear unset detach unfollow unstar unsubscribe uninstall purge"
};
var INTENTS = new Map(
  Object.entries(VERBS).flatMap(
    ([intent, verbs]) => verbs.split(" ").map((verb) => [verb, intent])
  )
);
var GENERIC = {
  read: generic("list get show find read fetch look view see retrieve display browse"),
  create: generic("create add make new post put give"),
  update: generic("update change edit modify set replace"),
  delete: generic("delete remove drop destroy erase")
};
var GENERIC_INTENT = new Map(
  Object.entries(GENERIC).flatMap(([intent, verbs]) => verbs.map((verb) => [verb, intent]))
);
var GENERIC_WEIGHT = 0.3;
var OWN = generic("authenticated me");
function generic(words) {
  return words.split(" ").map(normalWord);
}
var PREAMBLE = new Set("please can could would you i we want need to like let me us help for every each".split(" "));
function isGiveMe(words, at) {
  const next = words[at + 1];
  return ["give", "show", "tell"].includes(words[at]) && (next === "me" || next === "us");
}
function parseQuery(text, known) {
  const words = splitWords(text);
  let at = 0;
  while (at < words.length - 1 && (PREAMBLE.has(words[at]) || isGiveMe(words, at))) at++;
  const asked = words.slice(0, at).some((_, index) => isGiveMe(words, index));
  const intent = INTENTS.get(words[at] ?? "") ?? (asked ? "read" : void 0);
  const terms = /* @__PURE__ */ new Map();
  const suggest = (candidates, weight) => {
    for (const word2 of candidates) if (known(word2) && !terms.has(word2)) terms.set(word2, weight);
  };
  for (const word2 of wordsOf(text)) terms.set(word2, GENERIC_INTENT.has(word2) ? GENERIC_WEIGHT : 1);
  const generic2 = GENERIC_INTENT.get(normalWord(words[at] ?? ""));
  if (generic2 && generic2 !== "read") suggest(GENERIC[generic2], GENERIC_WEIGHT / 2);
  if (words.includes("my") || words.includes("me") && !asked) suggest(OWN, 0.5);
  const named = namedWords(text, known);
  for (const word2 of named) if (terms.has(word2)) terms.set(word2, 0.25 * terms.get(word2));
  return { terms, intent, namesThing: named.size > 0 };
}
var NAME = /\p{Lu}[\p{L}\p{N}'’.-]*(?:(?:\s+(?:of|the|and|in|on|as|a|de|van|von|la|&|\d+))*\s+\p{Lu}[\p{L}\p{N}'’.-]*)*/gu;
var QUOTED = /["“«]([^"”»]+)["”»]/gu;
function namedWords(text, known) {
  const words = /* @__PURE__ */ new Set();
  for (const [, quoted] of text.matchAll(QUOTED)) for (const word2 of wordsOf(quoted)) words.add(word2);
  const trimmed = text.trim();
  const tokens = trimmed.match(/\p{L}[\p{L}'’]*/gu) ?? [];
  if (tokens.length > 1 && tokens.every((token) => /^\p{Lu}/u.test(token))) return words;
  for (const match of trimmed.matchAll(NAME)) {
    const first = match.index === 0 || /[.!?]\s*$/.test(trimmed.slice(0, match.index));
    const name = first ? match[0].replace(/^\S+\s*/, "") : match[0];
    const own = wordsOf(name);
    if (!/\p{Lu}/u.test(name) || own.every(known) || /^\p{Lu}{2,4}$/u.test(name)) continue;
    for (const word2 of own) words.add(word2);
  }
  return words;
}
var FIT = {
  read: { GET: 1, HEAD: 0.8, QUERY: 1, OPTIONS: 0.7, POST: 0.75, PUT: 0.65, PATCH: 0.65, DELETE: 0.6 },
  create: { POST: 1, PUT: 0.95, PATCH: 0.8, GET: 0.7, DELETE: 0.6 },
  update: { PATCH: 1, PUT: 1, POST: 0.95, GET: 0.7, DELETE: 0.65 },
  delete: { DELETE: 1, POST: 0.85, PUT: 0.7, PATCH: 0.7, GET: 0.65 }
};
function methodFit(intent, method) {
  if (intent === void 0 || method === void 0) return 1;
  return FIT[intent][method.toUpperCase()] ?? 0.8;
}
function memberFit(intent, isMember) {
  if (intent === "create") return isMember ? 0.9 : 1;
  if (intent === "update" || intent === "delete") return isMember ? 1 : 0.95;
  return 1;
}

// src/discovery/dependencies.ts
var HANDLE = new Set(
  wordsOf("id ids identifier uuid guid number num no slug name key code token sha login username handle ref path")
);
var SEARCH = new Set(wordsOf("search find lookup query"));
var EVERYTHING = "";
var READS = /* @__PURE__ */ new Set(["GET", "QUERY"]);
var isVariable = (segment) => segment.includes("{");
var keyOf = (segments) => segments.map((one) => isVariable(one) ? "{}" : one).join("/");
var Dependencies = class {
  constructor(entries) {
    this.entries = entries;
    const lookups = /* @__PURE__ */ new Set();
    const push = (map, key, id) => {
      const list2 = map.get(key);
      if (list2) list2.push(id);
      else map.set(key, [id]);
    };
    this.#shapes = entries.map(({ tool: { facts } }, id) => {
      if (facts.pathTemplate === void 0 || facts.method === void 0) return void 0;
      const segments = facts.pathTemplate.split("/").filter((segment) => segment !== "");
      const shape = { segments, key: keyOf(segments) };
      const last = segments.at(-1);
      if (last === void 0 || isVariable(last)) return shape;
      const fixed = segments.filter((segment) => !isVariable(segment)).map((segment) => wordsOf(segment));
      const searching = fixed.some((words) => words.some((word2) => SEARCH.has(word2)));
      if (searching && fixed.length === segments.length) {
        lookups.add(id);
        const resources = fixed.map((words) => words.filter((word2) => !SEARCH.has(word2)).join(" ")).filter(Boolean);
        for (const resource of resources.length > 0 ? resources : [EVERYTHING]) push(this.#searches, resource, id);
      }
      if (!READS.has(facts.method)) return shape;
      push(this.#byKey, shape.key, id);
      push(this.#below, keyOf(segments.slice(0, -1)), id);
      push(this.#byResource, fixed.at(-1).join(" "), id);
      return shape;
    });
    this.lookups = lookups;
  }
  entries;
  #shapes;
  #byKey = /* @__PURE__ */ new Map();
  /** Reads one fixed segment below a collection: `/movies/popular`. */
  #below = /* @__PURE__ */ new Map();
  /** Reads whose last segment names a resource: `/user/repos`. */
  #byResource = /* @__PURE__ */ new Map();
  #searches = /* @__PURE__ */ new Map();
  /** Operations that look things up by text: at a path that says so, without a variable. */
  lookups;
  /** Whether an operation is about one thing: its path has a variable. */
  isAboutOne(id) {
    return this.#shapes[id]?.key.includes("{}") ?? false;
  }
  /** Whether an operation's path ends with a variable: it is about one member of a collection. */
  isAboutMember(id) {
    return this.#shapes[id]?.key.endsWith("{}") ?? false;
  }
  /** The operations that may give what entry `id` needs, each with its best weight. */
  providers(id) {
    const shape = this.#shapes[id];
    if (!shape) return [];
    const found = /* @__PURE__ */ new Map();
    const offer = (ids, weight) => {
      for (const one of ids ?? []) if (one !== id) found.set(one, Math.max(found.get(one) ?? 0, weight));
    };
    const { segments } = shape;
    let importance = 1;
    for (let at = segments.length - 1; at >= 0; at--) {
      if (!isVariable(segments[at])) continue;
      const collection = segments.slice(0, at);
      const key = keyOf(collection);
      for (const resource of resourceNames(segments, at)) {
        offer(this.#searches.get(resource), importance);
        offer(this.#byResource.get(resource), 0.6 * importance);
      }
      offer(this.#byKey.get(key), importance);
      offer(this.#searches.get(EVERYTHING), 0.5 * importance);
      offer(this.#below.get(key), 0.5 * importance);
      importance *= 0.6;
    }
    return Array.from(found, ([one, weight]) => ({ id: one, weight }));
  }
};
function resourceNames(segments, at) {
  const names = /* @__PURE__ */ new Set();
  const before = segments[at - 1];
  if (before !== void 0 && !isVariable(before)) names.add(wordsOf(before).join(" "));
  const own = wordsOf(segments[at]).filter((word2) => !HANDLE.has(word2));
  names.add(own.join(" "));
  names.delete("");
  return names;
}

// src/discovery/inverted-index.ts
var SATURATION = 1.2;
var InvertedIndex = class {
  /** @param documents for every document the words of each field, in the order of `fields`. */
  constructor(size, fields2, documents) {
    this.size = size;
    const texts2 = Array.from({ length: size }, (_, document) => documents(document));
    const averages = fields2.map((_, field) => texts2.reduce((sum, words) => sum + words[field].length, 0) / size);
    const collected = /* @__PURE__ */ new Map();
    texts2.forEach((words, document) => {
      for (const [word2, frequency] of frequenciesOf(words, fields2, averages)) {
        let postings = collected.get(word2);
        if (!postings) collected.set(word2, postings = { documents: [], frequencies: [] });
        postings.documents.push(document);
        postings.frequencies.push(frequency);
      }
    });
    for (const [word2, { documents: documents2, frequencies }] of collected) {
      const idf = Math.log(1 + (size - documents2.length + 0.5) / (documents2.length + 0.5));
      const impacts = frequencies.map((frequency) => idf * frequency * (SATURATION + 1) / (SATURATION + frequency));
      this.#postings.set(word2, { documents: Int32Array.from(documents2), impacts: Float32Array.from(impacts), idf });
    }
  }
  size;
  #postings = /* @__PURE__ */ new Map();
  #similar = /* @__PURE__ */ new Map();
  #byInitial;
  has(word2) {
    return this.#postings.has(word2);
  }
  /** Inverse document frequency of a word; 0 for an unknown one. */
  idf(word2) {
    return this.#postings.get(word2)?.idf ?? 0;
  }
  /** Adds a word's impacts, times `weight`, to the scores of the documents that have it. */
  add(word2, weight, scores, coverage) {
    const postings = this.#postings.get(word2);
    if (!postings) return;
    const { documents, impacts, idf } = postings;
    for (let i = 0; i < documents.length; i++) {
      scores[documents[i]] += weight * impacts[i];
      if (coverage) coverage[documents[i]] += weight * idf;
    }
  }
  /** Known words that begin with an unknown one, or differ from it by a letter or two; the nearest first. */
  similar(word2, limit = 4) {
    if (word2.length < 3) return [];
    const before = this.#similar.get(word2);
    if (before) return before;
    const found = [];
    const most = word2.length < 5 ? 0 : word2.length < 8 ? 1 : 2;
    for (const known of this.#withInitial(word2[0])) {
      if (known.startsWith(word2)) found.push({ word: known, similarity: word2.length / known.length });
      else if (most > 0 && Math.abs(known.length - word2.length) <= most) {
        const distance = editDistance(word2, known, most);
        if (distance <= most) found.push({ word: known, similarity: 0.8 - 0.2 * distance });
      }
    }
    found.sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1));
    const nearest = found.slice(0, limit);
    if (this.#similar.size > 1e4) this.#similar.clear();
    this.#similar.set(word2, nearest);
    return nearest;
  }
  #withInitial(initial) {
    if (!this.#byInitial) {
      this.#byInitial = /* @__PURE__ */ new Map();
      for (const word2 of this.#postings.keys()) {
        const list2 = this.#byInitial.get(word2[0]);
        if (list2) list2.push(word2);
        else this.#byInitial.set(word2[0], [word2]);
      }
    }
    return this.#byInitial.get(initial) ?? [];
  }
};
function frequenciesOf(words, fields2, averages) {
  const frequencies = /* @__PURE__ */ new Map();
  words.forEach((list2, field) => {
    if (list2.length === 0) return;
    const { weight, normalization } = fields2[field];
    const share = weight / (1 - normalization + normalization * list2.length / averages[field]);
    for (const word2 of list2) frequencies.set(word2, (frequencies.get(word2) ?? 0) + share);
  });
  return frequencies;
}

// src/discovery/property-names.ts
var MOST_NAMES = 150;
function propertyNames(schema, depth) {
  const names = /* @__PURE__ */ new Set();
  const seen = /* @__PURE__ */ new Set();
  let level = [schema];
  for (let d = 0; d < depth && level.length > 0; d++) {
    const next = [];
    const visit = (node) => {
      if (typeof node !== "object" || node === null || seen.has(node) || names.size >= MOST_NAMES) return;
      seen.add(node);
      const one = node;
      if (typeof one["$ref"] === "string") visit(resolveLocal(schema, one["$ref"]));
      for (const keyword of ["allOf", "anyOf", "oneOf", "prefixItems"]) {
        if (Array.isArray(one[keyword])) one[keyword].forEach(visit);
      }
      visit(one["items"]);
      visit(one["additionalProperties"]);
      const properties = one["properties"];
      if (typeof properties !== "object" || properties === null) return;
      for (const [name, property] of Object.entries(properties)) {
        names.add(name);
        next.push(property);
      }
    };
    level.forEach(visit);
    level = next;
  }
  return [...names].slice(0, MOST_NAMES);
}

// src/discovery/search-index.ts
var FIELDS = {
  name: { weight: 1.6, normalization: 0.6 },
  path: { weight: 1.4, normalization: 0.6 },
  /** The last fixed segment of the path: the resource that the operation is about. */
  resource: { weight: 1.2, normalization: 0 },
  summary: { weight: 1.6, normalization: 0.6 },
  tags: { weight: 0.6, normalization: 0.5 },
  description: { weight: 0.7, normalization: 0.7 },
  inputs: { weight: 0.5, normalization: 0.7 },
  outputs: { weight: 0.4, normalization: 0.8 }
};
var indexes = /* @__PURE__ */ new WeakMap();
function searchIndex(catalog) {
  let index = indexes.get(catalog);
  if (!index) {
    const { entries } = catalog;
    const { length } = entries;
    const methods = [...new Set(entries.map((entry) => entry.tool.facts.method))];
    const depth = ({ tool }) => Math.min(10, tool.facts.pathTemplate?.split("/").length ?? 0);
    const names = entries.map(resourceName);
    const resources = [...new Set(names)];
    const numbers = new Map(resources.map((name, number) => [name, number]));
    index = {
      words: new InvertedIndex(length, Object.values(FIELDS), (id) => Object.values(fields(entries[id]))),
      dependencies: new Dependencies(entries),
      methods,
      methodOf: Uint8Array.from(entries, (entry) => methods.indexOf(entry.tool.facts.method)),
      depthOf: Uint8Array.from(entries, depth),
      resources: resources.map(wordsOf),
      resourceOf: Uint32Array.from(names, (name) => numbers.get(name))
    };
    indexes.set(catalog, index);
  }
  return index;
}
function resourceName({ tool, segments }) {
  const { pathTemplate } = tool.facts;
  if (pathTemplate === void 0) return segments.at(-1) ?? "";
  return pathTemplate.split("/").findLast((segment) => segment !== "" && !segment.includes("{")) ?? "";
}
function fields(entry) {
  const { tool, segments } = entry;
  const { operationId, pathTemplate = "", summary = "", tags = [] } = tool.facts;
  return {
    name: wordsOf([...segments, operationId ?? ""].join(" ")),
    path: wordsOf(pathTemplate),
    resource: wordsOf(resourceName(entry)),
    summary: wordsOf(summary),
    tags: wordsOf(tags.join(" ")),
    description: wordsOf(tool.description.slice(0, 1e3)),
    inputs: propertyNames(tool.inputSchema, 2).flatMap(wordsOf),
    outputs: [...new Set(propertyNames(tool.outputSchema, 3).flatMap(wordsOf))]
  };
}

// src/discovery/rank.ts
var COVERAGE = 0.3;
var SEGMENT = 0.02;
var CONSUMERS = 5;
var PROVIDER = 0.6;
var NAMED_LOOKUP = 0.9;
var ANY_LOOKUP = 0.5;
var RESOURCE = 0.8;
var ABOUT_ONE = 1.4;
function rank(catalog, text, count2, includes) {
  const { entries } = catalog;
  const index = searchIndex(catalog);
  const query = parseQuery(text, (word2) => index.words.has(word2));
  const scores = wordScores(index, query.terms, entries.length);
  const { dependencies } = index;
  const fit = index.methods.map((method) => methodFit(query.intent, method));
  const about = index.resources.map((words) => resourceFit(words, query.terms, index));
  for (let id = 0; id < scores.length; id++) {
    if (scores[id] === 0) continue;
    const shape = memberFit(query.intent, dependencies.isAboutMember(id)) * (1 - SEGMENT * index.depthOf[id]);
    const one = query.namesThing && dependencies.isAboutOne(id) ? ABOUT_ONE : 1;
    scores[id] *= fit[index.methodOf[id]] * about[index.resourceOf[id]] * shape * one;
  }
  const isBefore = (a, b) => scores[a] > scores[b] || scores[a] === scores[b] && entries[a].name < entries[b].name;
  const consumers = best(scores, CONSUMERS, isBefore, () => true).ids;
  for (const [id, { score, below }] of lookUps(index, consumers, scores, query.namesThing)) {
    scores[id] = Math.max(scores[id], Math.min(score + 0.25 * scores[id], 0.98 * below));
  }
  const { ids, total } = best(scores, count2, isBefore, includes);
  return { best: ids.map((id) => ({ id, score: Math.round(scores[id] * 1e3) / 1e3 })), total };
}
function best(scores, count2, isBefore, includes) {
  const heap = [];
  let total = 0;
  for (let id = 0; id < scores.length; id++) {
    if (scores[id] === 0 || !includes(id)) continue;
    total++;
    if (heap.length < count2) {
      heap.push(id);
      let child = heap.length - 1;
      for (let parent = child - 1 >> 1; child > 0 && isBefore(heap[parent], id); parent = child - 1 >> 1) {
        heap[child] = heap[parent];
        child = parent;
      }
      heap[child] = id;
    } else if (count2 > 0 && isBefore(id, heap[0])) {
      let parent = 0;
      for (let child = 1; child < count2; child = 2 * parent + 1) {
        if (child + 1 < count2 && isBefore(heap[child], heap[child + 1])) child++;
        if (!isBefore(id, heap[child])) break;
        heap[parent] = heap[child];
        parent = child;
      }
      heap[parent] = id;
    }
  }
  return { ids: heap.sort((a, b) => isBefore(a, b) ? -1 : 1), total };
}
function wordScores({ words }, terms, size) {
  const scores = new Float64Array(size);
  const coverage = new Float64Array(size);
  let whole = 0;
  for (const [term, weight] of terms) {
    if (words.has(term)) {
      words.add(term, weight, scores, coverage);
      whole += weight * words.idf(term);
    } else {
      for (const { word: word2, similarity } of words.similar(term)) words.add(word2, 0.6 * similarity * weight, scores);
    }
  }
  if (whole === 0) return scores;
  return scores.map((score, id) => score * (1 - COVERAGE + COVERAGE * coverage[id] / whole));
}
function resourceFit(resource, terms, { words }) {
  if (resource.length === 0 || !resource.every((word2) => terms.has(word2))) return 1;
  let whole = 0;
  let named = 0;
  for (const [term, weight] of terms) {
    const share = weight * (0.5 + words.idf(term));
    whole += share;
    if (resource.includes(term)) named += share;
  }
  return 1 + RESOURCE * (named / whole);
}
function lookUps({ dependencies }, best2, scores, namesThing) {
  const inherited = /* @__PURE__ */ new Map();
  const inherit = (id, score, below) => {
    if (score > (inherited.get(id)?.score ?? 0)) inherited.set(id, { score, below });
  };
  for (const consumer of best2.slice(0, CONSUMERS)) {
    for (const { id, weight } of dependencies.providers(consumer)) {
      const share = namesThing && dependencies.lookups.has(id) ? NAMED_LOOKUP : PROVIDER * weight;
      inherit(id, scores[consumer] * share, scores[consumer]);
    }
  }
  if (namesThing) {
    const highest = best2.length > 0 ? scores[best2[0]] : 1;
    for (const id of dependencies.lookups) inherit(id, ANY_LOOKUP * highest, highest);
  }
  return inherited;
}

// src/discovery/search.ts
var EXACT = 1e3;
var PREFIX = 500;
function search(catalog, query, options = {}) {
  const limit = within(options.limit, 10, 1, 100);
  const offset = within(options.offset, 0, 0, Number.MAX_SAFE_INTEGER);
  const namespace = String(options.namespace ?? "");
  const words = String(query ?? "").trim();
  const included = catalog.entries.map((entry) => isUnder(entry, namespace));
  const { hits, total } = find(catalog, words, offset + limit, (id) => included[id]);
  const items = hits.slice(offset, offset + limit).map(itemOf);
  const end = offset + items.length;
  return { items, total, next: items.length > 0 && end < total ? { offset: end } : null };
}
function within(value, fallback, least, most) {
  const number = typeof value === "number" && !Number.isNaN(value) ? Math.trunc(value) : fallback;
  return Math.min(most, Math.max(least, number));
}
function itemOf({ entry, score, exact }) {
  const { path, name, description, signature, tool } = entry;
  const { method = null, pathTemplate = null } = tool.facts;
  const item = { path, name, method, pathTemplate, description, signature, score };
  const types = exact ? definitionsOf(tool, signature) : "";
  return types === "" ? item : { ...item, types };
}
function find(catalog, query, count2, includes) {
  const { entries } = catalog;
  if (query === "") {
    const hits = entries.flatMap((entry, id) => includes(id) ? [{ entry, score: 0 }] : []);
    return { hits, total: hits.length };
  }
  const named = findNamed(catalog, query).filter(({ id }) => includes(id));
  const seen = new Set(named.map(({ id }) => id));
  const ranking = rank(catalog, query, Math.max(0, count2 - named.length), (id) => includes(id) && !seen.has(id));
  const ranked = ranking.best.map(({ id, score }) => ({ entry: entries[id], score }));
  return { hits: [...named, ...ranked], total: named.length + ranking.total };
}
function findNamed(catalog, query) {
  const scoreOf = nameScore(query);
  if (!scoreOf) return [];
  const hits = catalog.entries.flatMap((entry, id) => {
    const score = scoreOf(entry);
    return score > 0 ? [{ id, entry, score, exact: score === EXACT }] : [];
  });
  return hits.sort(byScoreAndName);
}
function nameScore(query) {
  const operation = /^(?:([A-Za-z]+)\s+)?(\/\S*)$/.exec(query);
  if (operation) {
    const method = operation[1]?.toUpperCase();
    const wanted = anonymous(operation[2]);
    const prefix = wanted.endsWith("/") ? wanted : `${wanted}/`;
    return ({ tool: { facts } }) => {
      if (facts.pathTemplate === void 0 || method && facts.method?.toUpperCase() !== method) return 0;
      const template = anonymous(facts.pathTemplate);
      return template === wanted ? EXACT : template.startsWith(prefix) ? PREFIX : 0;
    };
  }
  if (/\s/.test(query)) return void 0;
  const name = withoutRoot(query).replace(/\.$/, "").toLowerCase();
  return ({ name: own, path, tool: { facts } }) => {
    const lower = own.toLowerCase();
    if (lower === name || path === query || facts.operationId === query) return EXACT;
    return name !== "" && lower.startsWith(`${name}.`) ? PREFIX : 0;
  };
}
var byScoreAndName = (a, b) => b.score - a.score || (a.entry.name < b.entry.name ? -1 : 1);
var anonymous = (template) => template.replace(/\{[^}]*\}/g, "{}");
var withoutRoot = (name) => name.replace(/^tools(\.|$)/, "");
function isUnder(entry, namespace) {
  const prefix = withoutRoot(namespace).replace(/\.$/, "");
  return prefix === "" || entry.name === prefix || entry.name.startsWith(`${prefix}.`);
}

// ../../../tmp/disc/fake.mjs
import fs from "node:fs";
function fake(file) {
  const d = typeof file === "string" ? JSON.parse(fs.readFileSync(file, "utf8")) : file;
  const res = (r) => {
    let v = r;
    let n2 = 0;
    while (v && v.$ref && n2++ < 10) {
      v = v.$ref.slice(2).split("/").reduce((o, k) => o?.[decodeURIComponent(k).replaceAll("~1", "/").replaceAll("~0", "~")], d);
    }
    return v;
  };
  const defs = {};
  const conv = (s) => {
    if (Array.isArray(s)) return s.map(conv);
    if (s && typeof s === "object") {
      const o = {};
      for (const [k, v] of Object.entries(s)) {
        if (k === "$ref" && typeof v === "string") {
          o.$ref = "#/$defs/" + v.split("/").pop();
        } else if (k === "example" || k === "examples") {
        } else o[k] = conv(v);
      }
      return o;
    }
    return s;
  };
  for (const [k, v] of Object.entries(d.components?.schemas || d.definitions || {})) defs[k] = conv(v);
  const tree = {};
  let n = 0;
  for (const [p, item] of Object.entries(d.paths)) for (const [m, o] of Object.entries(item)) {
    if (!["get", "put", "post", "delete", "patch", "head", "options"].includes(m)) continue;
    const ps = [...item.parameters || [], ...o.parameters || []].map(res).filter(Boolean);
    const camel = (s) => s.replace(/[^A-Za-z0-9]+(.)?/g, (_, c) => c ? c.toUpperCase() : "");
    const name = o.operationId ? o.operationId.split(/[./]/).map(camel).join(".") : camel(m + " " + p);
    const properties = {}, required = [];
    for (const q of ps) {
      if (q.in === "header" && /^(accept|authorization|content-type)$/i.test(q.name)) continue;
      properties[q.name] = conv({ description: q.description, ...q.schema || { type: q.type } });
      if (q.required) required.push(q.name);
    }
    const body = res(o.requestBody);
    const bs = body && Object.values(body.content || {})[0]?.schema;
    if (bs) {
      const r = conv(res(bs));
      if (r?.properties && !r.oneOf) {
        Object.assign(properties, r.properties);
        if (body.required) required.push(...r.required || []);
      } else {
        properties.body = conv(bs);
        if (body.required) required.push("body");
      }
    }
    const ok = res(Object.entries(o.responses || {}).find(([k]) => k[0] === "2")?.[1]);
    const js = ok?.content && Object.values(ok.content)[0]?.schema || ok?.schema;
    tree[name] = {
      description: o.description || o.summary || "",
      get inputSchema() {
        return { type: "object", properties, required, additionalProperties: false, $defs: defs };
      },
      outputSchema: ok ? js ? { ...conv(js), $defs: defs } : ok.content ? void 0 : { type: "null" } : void 0,
      facts: { operationId: o.operationId, method: m.toUpperCase(), pathTemplate: p, tags: o.tags || [], summary: o.summary, deprecated: !!o.deprecated },
      call() {
        throw 1;
      }
    };
    n++;
  }
  return tree;
}

// ../../../tmp/disc/multi.ts
import fs2 from "node:fs";
var norm = (s) => s.replace(/\{[^}]*\}/g, "{}");
var W = "/work/wt/discovery/";
var out = [];
for (const [spec, q] of [["/work/shared/corpus/restbench/tmdb_oas.json", "/work/shared/corpus/restbench/tmdb.json"], [W + "node_modules/@octokit/openapi/generated/api.github.com.json", W + "test/discovery/queries/github.json"], ["/work/shared/corpus/stripe/openapi-spec3/spec3.json", W + "test/discovery/queries/stripe.json"]]) {
  const cf = "/tmp/disc/cache-" + q.split("/").pop();
  let c;
  c = createCatalog(fake(spec));
  const qs = JSON.parse(fs2.readFileSync(q, "utf8"));
  let g = 0, h5 = 0, h10 = 0, first = 0;
  for (const x of qs) {
    const r = search(c, x.query, { limit: 10 }).items.map((i) => norm(i.method + " " + i.pathTemplate));
    const w = [...new Set(x.solution.map(norm))];
    g += w.length;
    h10 += w.filter((y) => r.includes(y)).length;
    h5 += w.filter((y) => r.slice(0, 5).includes(y)).length;
    if (w.includes(r[0])) first++;
  }
  out.push(`${(h5 / g).toFixed(3)} ${(h10 / g).toFixed(3)} first ${(first / qs.length).toFixed(3)}`);
}
console.log(out.join("  |  "));
