/**
 * Completion scripts made from the command tree itself, so that they never lag behind it.
 */
import type { Command, Option } from "commander";
import { COMPLETE_TOOL } from "./commands/complete-tool.js";

type Shell = "bash" | "zsh" | "fish";

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly Option[];
  readonly choices: readonly string[];
}

function wordsOf(program: Command): CommandWords[] {
  const shown = program.commands.filter((command) => command.name() !== COMPLETE_TOOL);
  return shown.map((command) => ({
    name: command.name(),
    summary: command.summary() || command.description(),
    options: command.createHelp().visibleOptions(command),
    choices: command.registeredArguments.flatMap((argument) => argument.argChoices ?? []),
  }));
}

const flagsOf = (option: Option): string[] => [option.long, option.short].filter((flag) => flag !== undefined);

function bash(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, options, choices }) => {
    const words = [...choices, ...options.flatMap(flagsOf)].join(" ");
    const values = options
      .filter((option) => option.argChoices)
      .map(
        (option) =>
          `        ${flagsOf(option).join("|")}) COMPREPLY=($(compgen -W "${option.argChoices!.join(" ")}" -- "$cur")); return ;;\n`,
      );
    return `    ${name})\n      case "$prev" in\n${values.join("")}      esac\n      words="${words}" ;;\n`;
  });
  return `# bash completion of codemode-openapi
_codemode_openapi() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words name
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")}" -- "$cur"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join("")}  esac
  # The word after <spec> of \`call\` is a tool; names are completed a segment at a time.
  if [ "\${COMP_WORDS[1]}" = call ] && [ "$COMP_CWORD" -eq 3 ]; then
    # Read as they are: \`compgen -W\` would expand what a document calls its operations.
    while IFS=$'\\t' read -r name _; do COMPREPLY+=("$name"); done < <(codemode-openapi ${COMPLETE_TOOL} "\${COMP_WORDS[2]}" "$cur" 2>/dev/null)
    case "\${COMPREPLY[*]}" in *.) compopt -o nospace 2>/dev/null ;; esac
    return
  fi
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _codemode_openapi codemode-openapi
`;
}

const singleQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function fish(commands: readonly CommandWords[]): string {
  const lines = ["# fish completion of codemode-openapi"];
  for (const { name, summary, options, choices } of commands) {
    lines.push(`complete -c codemode-openapi -n __fish_use_subcommand -f -a ${name} -d ${singleQuoted(summary)}`);
    const within = `-n '__fish_seen_subcommand_from ${name}'`;
    if (choices.length > 0)
      lines.push(`complete -c codemode-openapi ${within} -f -a ${singleQuoted(choices.join(" "))}`);
    for (const option of options) {
      const flags = [option.long && `-l ${option.long.slice(2)}`, option.short && `-s ${option.short.slice(1)}`].filter(
        Boolean,
      );
      const value =
        option.required || option.optional
          ? ` -r${option.argChoices ? ` -f -a ${singleQuoted(option.argChoices.join(" "))}` : ""}`
          : "";
      lines.push(
        `complete -c codemode-openapi ${within} ${flags.join(" ")}${value} -d ${singleQuoted(option.description)}`,
      );
    }
  }
  // The word after <spec> of `call` is a tool.
  lines.push(
    "complete -c codemode-openapi -n '__fish_seen_subcommand_from call; and test (count (commandline -opc)) -eq 3' -f " +
      `-a '(codemode-openapi ${COMPLETE_TOOL} (commandline -opc)[3] (commandline -ct) 2>/dev/null)'`,
  );
  return lines.join("\n") + "\n";
}

function zsh(commands: readonly CommandWords[]): string {
  const escaped = (text: string) => text.replaceAll("'", "'\\''").replace(/[[\]:\\]/g, "\\$&");
  const names = commands.map(({ name, summary }) => `    '${name}:${escaped(summary)}'`);
  const cases = commands.map(({ name, options, choices }) => {
    const specs = options.flatMap((option) =>
      flagsOf(option).map((flag) => {
        const value =
          option.required || option.optional
            ? `:value:${option.argChoices ? `(${option.argChoices.join(" ")})` : "_files"}`
            : "";
        return `'*${flag}[${escaped(option.description)}]${value}'`;
      }),
    );
    const rest = choices.length > 0 ? `'*:value:(${choices.join(" ")})'` : "'*:file:_files'";
    return `    ${name}) _arguments ${[...specs, rest].join(" ")} ;;`;
  });
  return `#compdef codemode-openapi
# zsh completion of codemode-openapi
_codemode_openapi() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  # The word after <spec> of \`call\` is a tool; names are completed a segment at a time.
  if [[ $command == call ]] && (( CURRENT == 3 )); then
    compadd -S '' -- \${(f)"$(codemode-openapi ${COMPLETE_TOOL} "$words[2]" "$PREFIX" 2>/dev/null | cut -f1)"}
    return
  fi
  case $command in
${cases.join("\n")}
  esac
}
compdef _codemode_openapi codemode-openapi
`;
}

export function completionScript(program: Command, shell: Shell): string {
  const commands = wordsOf(program);
  return { bash, zsh, fish }[shell](commands);
}
