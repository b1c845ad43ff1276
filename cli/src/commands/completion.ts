import { Argument, type Command, Option } from 'commander'
import { print } from '../output.ts'

/** Each command with the words that can follow it. */
function wordsByCommand(command: Command, path = ''): [string, string[]][] {
  const own = [
    ...command.commands.map((one) => one.name()),
    ...command.options.flatMap((option) => option.long ?? []),
    '--help',
  ]
  return [[path, own], ...command.commands.flatMap((one) => wordsByCommand(one, `${path} ${one.name()}`.trim()))]
}

const SCRIPTS: Record<string, (program: Command) => string> = {
  bash: (program) => `_slipway() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] || path="$path $word"; done
  case "\${path# }" in
${wordsByCommand(program)
  .reverse()
  .map(
    ([path, words]) => `    "${path}"${path ? '*' : ''}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o default -F _slipway slipway
`,
  zsh: (program) => `#compdef slipway\nautoload -U +X bashcompinit && bashcompinit\n${SCRIPTS.bash!(program)}`,
  fish: (program) =>
    program.commands
      .flatMap((one) => [
        `complete -c slipway -n __fish_use_subcommand -a ${one.name()} -d '${one.description().replaceAll("'", '’')}'`,
        ...one.commands.map(
          (sub) =>
            `complete -c slipway -n '__fish_seen_subcommand_from ${one.name()}' -a ${sub.name()} -d '${sub.description().replaceAll("'", '’')}'`,
        ),
      ])
      .join('\n'),
}

export function addCompletion(program: Command): void {
  program
    .command('completion')
    .description('Print the completion script of a shell')
    .addArgument(new Argument('[shell]').choices(Object.keys(SCRIPTS)))
    .addOption(new Option('--shell <shell>').choices(Object.keys(SCRIPTS)).default('bash'))
    .addHelpText(
      'after',
      '\nExample:\n  $ slipway completion bash > ~/.local/share/bash-completion/completions/slipway',
    )
    .action((named: string | undefined, { shell }: { shell: string }) => print(SCRIPTS[named ?? shell]!(program)))
}
