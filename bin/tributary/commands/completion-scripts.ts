/** The words that may follow a command. */
export interface Words {
  /** `sources create`; empty for the program itself. */
  path: string;
  words: readonly string[];
  takesFile: boolean;
}

const caseLines = (commands: readonly Words[]): string =>
  commands
    .map(({ path, words, takesFile }) => `    '${path}') words='${words.join(' ')}'; files=${takesFile ? 1 : 0} ;;`)
    .join('\n');

/** Known paths, between bars. */
const known = (commands: readonly Words[]): string => `|${commands.map(({ path }) => path).join('|')}|`;

/** Finds the longest known command in the words before the cursor; \`list\` names them. */
const findPath = (list: string): string => `  for word in ${list}; do
    candidate="\${path:+$path }$word"
    case '|KNOWN|' in *"|$candidate|"*) path="$candidate" ;; esac
  done`;

const bash = (commands: readonly Words[]): string => `# tributary completion for bash
_tributary() {
  local path='' word candidate words files
${findPath('"${COMP_WORDS[@]:1:COMP_CWORD-1}"').replace('|KNOWN|', known(commands))}
  case "$path" in
${caseLines(commands)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [ "$files" = 1 ]; then COMPREPLY+=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -o default -F _tributary tributary
`;

const zsh = (commands: readonly Words[]): string => `#compdef tributary
# tributary completion for zsh
_tributary() {
  local path_='' word candidate words_ files
${findPath('"${(@)words[2,CURRENT-1]}"').replace('|KNOWN|', known(commands)).replaceAll('path', 'path_')}
  case "$path_" in
${caseLines(commands).replaceAll(" words='", " words_='")}
  esac
  compadd -- \${=words_}
  if [ "$files" = 1 ]; then _files; fi
}
if [ "$funcstack[1]" = "_tributary" ]; then _tributary "$@"; else compdef _tributary tributary; fi
`;

const fish = (commands: readonly Words[]): string => `# tributary completion for fish
function __tributary_path
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l candidate (string trim "$path $word")
    if string match -q "*|$candidate|*" '${known(commands)}'
      set path $candidate
    end
  end
  echo $path
end
${commands
  .map(({ path, words, takesFile }) => {
    const files = takesFile ? '' : ' -f';
    return `complete -c tributary -n 'test (__tributary_path) = "${path}"'${files} -a '${words.join(' ')}'`;
  })
  .join('\n')}
`;

/** Command names and options have letters, digits and dashes only, so the scripts need no quoting within words. */
export const completionScripts = { bash, zsh, fish };
