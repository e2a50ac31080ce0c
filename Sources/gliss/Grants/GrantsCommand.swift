import ArgumentParser
import Gliss

/// `gliss grants`: who may see which input.
struct GrantsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grants",
    abstract: "Say which programs may see what of the input: list, grant, deny, revoke.",
    discussion: """
      The broker, glissd, hands input to other programs, to each what it was
      granted. Reading is free; who decides needs an administrator's password
      (polkit), or runs it with sudo.

      EXAMPLES
        gliss grants                                 what is granted, what waits
        gliss grants answer 3 --allow                a program asked: let it
        gliss grants grant foo --tier gesture
        gliss grants revoke 5
        gliss grants group add org.example.suite foo
        gliss grants log --limit 20                  who decided and asked what

      docs/grants.md says what tiers, scopes and the like are.
      """,
    subcommands: [
      GrantsListCommand.self, GrantsShowCommand.self, GrantsGrantCommand.self,
      GrantsDenyCommand.self, GrantsAnswerCommand.self, GrantsChangeCommand.self,
      GrantsRevokeCommand.self, GrantsGroupCommand.self, GrantsLogCommand.self,
      GrantsExportCommand.self, GrantsImportCommand.self, GrantsCheckCommand.self,
    ],
    defaultSubcommand: GrantsListCommand.self)
}
