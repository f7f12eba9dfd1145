/** TypeScript types written out in full, with comments, for declaration files. */
import { propertyName } from "../codemode/tree.js";
import { indexType } from "./compact-type.js";
import { comment, schemaDocumentation } from "./documentation.js";
import type { ObjectNode, TypeNode } from "./type-node.js";

const STEP = "  ";

/** A type at an indentation; nothing is left out, definitions stay names. */
export function fullType(type: TypeNode, indent: string): string {
  switch (type.kind) {
    case "word":
      return type.text;
    case "name":
      return type.name;
    case "array":
      return `${grouped(type.item, indent)}[]`;
    case "tuple": {
      const items = type.items.map(({ type: item, optional }) =>
        optional ? `${grouped(item, indent)}?` : fullType(item, indent),
      );
      if (type.rest) items.push(`...${grouped(type.rest, indent)}[]`);
      return `[${items.join(", ")}]`;
    }
    case "union":
      return [...new Set(type.members.map((member) => fullType(member, indent)))].join(" | ");
    case "intersection":
      return [...new Set(type.members.map((member) => grouped(member, indent)))].join(" & ");
    case "object":
      return objectType(type, indent);
  }
}

function grouped(type: TypeNode, indent: string): string {
  const text = fullType(type, indent);
  return type.kind === "union" || type.kind === "intersection" ? `(${text})` : text;
}

/** An object's type literal; it is also the body of an interface. */
export function objectType(type: ObjectNode, indent: string): string {
  const inner = indent + STEP;
  const lines = type.properties.map((property) => {
    const key = propertyName(property.name) + (property.optional ? "?" : "");
    return `${comment(schemaDocumentation(property.schema), inner)}${inner}${key}: ${fullType(property.type, inner)};\n`;
  });
  if (type.rest) lines.push(`${inner}[key: string]: ${indexType(type, (one) => fullType(one, inner))};\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

/**
 * A definition as a statement: an interface where TypeScript allows one, an alias elsewhere. An alias that is nothing but
 * itself stands for every value.
 */
export function definition(name: string, type: TypeNode, schema: unknown, indent: string): string {
  const head = comment(schemaDocumentation(schema), indent);
  if (type.kind === "object") return `${head}${indent}interface ${name} ${objectType(type, indent)}\n`;
  const text = isCircular(type) ? "unknown" : fullType(type, indent);
  return `${head}${indent}type ${name} = ${text};\n`;
}

/** Whether a type is made of itself through names, unions and intersections alone. */
function isCircular(type: TypeNode): boolean {
  const open = new Set<string>();
  const done = new Set<string>();
  const visit = (node: TypeNode): boolean => {
    if (node.kind === "union" || node.kind === "intersection") return node.members.some(visit);
    if (node.kind !== "name" || done.has(node.name)) return false;
    if (open.has(node.name)) return true;
    open.add(node.name);
    const circular = visit(node.target());
    open.delete(node.name);
    done.add(node.name);
    return circular;
  };
  return visit(type);
}
