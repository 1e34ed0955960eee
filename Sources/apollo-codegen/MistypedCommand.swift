import ArgumentParser
import GraphQLSyntax

/// A word on the command line that is in the place of a command, and is not one.
///
/// The parser of arguments would take it for an argument of the default command, and its message would not help.
struct MistypedCommand {
  private let name: String
  /// The commands before the word, as they were written.
  private let path: String
  private let commands: [String]

  /// nil: all commands are known.
  static func find(in arguments: [String], of command: any ParsableCommand.Type) -> MistypedCommand? {
    // The help of a command is asked for with its name.
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    return find(in: words, of: command.configuration, path: command.configuration.commandName ?? "")
  }

  private static func find(
    in words: ArraySlice<String>, of command: CommandConfiguration, path: String
  ) -> MistypedCommand? {
    let subcommands = command.subcommands.map { $0.configuration }
    guard let word = words.first, !word.hasPrefix("-"), !subcommands.isEmpty else { return nil }
    guard let next = subcommands.first(where: { $0.commandName == word }) else {
      return MistypedCommand(name: word, path: path, commands: subcommands.compactMap(\.commandName))
    }
    return find(in: words.dropFirst(), of: next, path: path + " " + word)
  }

  var message: String {
    let suggestion =
      Suggestions.didYouMean(Suggestions.similar(to: name, among: commands))
      ?? "The commands are \(Suggestions.list(commands.map { "\"\($0)\"" }, "and"))."
    return """
      Error: "\(path)" has no command "\(name)". \(suggestion)
        See '\(path) --help' for more information.

      """
  }
}
