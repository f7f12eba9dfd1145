/** `application/x-www-form-urlencoded` (URL Standard, 5), from an object and its plan. */
import type { JsonObject } from "../json/json.js";
import type { FieldPlan } from "./encoding-object.js";
import type { FileStore } from "./files.js";
import { fieldContent, fieldValues } from "./form-field.js";
import { describeValue, invalidInput } from "./invalid-input.js";
import type { FormPlan } from "./media-type-object.js";
import { encodeFormText, encodeReservedInQuery, encodeUnreserved } from "./percent-encoding.js";
import { stylePairs } from "./style.js";

/** The plan of a property. @throws ToolError `InvalidToolInput` when there may be none of that name. */
export function fieldOf(form: FormPlan, name: string, label: string): FieldPlan {
  const field = form.fields.get(name) ?? form.additional;
  if (field !== undefined) return field;
  throw invalidInput(
    `\`${label}\` is not a property of the body.`,
    `Its properties are ${[...form.fields.keys()].join(", ")}.`,
  );
}

/**
 * @param label How messages call a property.
 * @throws ToolError `InvalidToolInput`
 */
export async function encodeForm(
  form: FormPlan,
  value: JsonObject,
  label: (property: string) => string,
  files: FileStore,
): Promise<string> {
  const pairs: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const field = fieldOf(form, name, label(name));
    if (field.kind === "style") {
      const encoding = {
        name: encodeUnreserved,
        value: field.allowReserved ? encodeReservedInQuery : encodeUnreserved,
        uri: true,
      };
      const styled = stylePairs({ ...field.rule, name }, member, encoding, label(name)) ?? [];
      pairs.push(...styled.map(([key, text]) => `${key}=${text}`));
      continue;
    }
    for (const [accepts, item, itemLabel] of fieldValues(field, member, label(name))) {
      const { content } = await fieldContent(field, accepts, item, itemLabel, files);
      if (typeof content !== "string") throw invalidInput(`\`${itemLabel}\` must be text, not ${describeValue(item)}.`);
      pairs.push(`${encodeFormText(name)}=${encodeFormText(content)}`);
    }
  }
  return pairs.join("&");
}
