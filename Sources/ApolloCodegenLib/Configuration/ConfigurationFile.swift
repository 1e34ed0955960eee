import GraphQLSyntax

/// The file that a configuration was read from, for diagnostics about its members.
struct ConfigurationFile: Sendable {
  let source: Source
  /// The places of the members, by their paths, such as `options.customScalars.Date`.
  let places: [String: SourceSpan]
}

extension ApolloCodegenConfiguration {
  /// A warning about a member that has no effect.
  ///
  /// - Parameters:
  ///   - path: The path of the member in a configuration file.
  ///   - severity: How it is shown. The default is a warning.
  ///   - reason: Why it has no effect, in full sentences.
  ///   - help: What to do instead. nil, the default: nothing is suggested.
  /// - Returns: The warning, at the place of the member if the configuration was read from a file.
  func ineffective(
    _ path: String, severity: Diagnostic.Severity = .warning, because reason: String, help: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      ineffective: path, severity: severity, because: reason, at: file?.places[path] ?? .none, help: help)
  }
}

extension Diagnostic {
  /// A warning about a member of a configuration that has no effect.
  init(
    ineffective path: String, severity: Severity = .warning, because reason: String, at span: SourceSpan,
    help: String? = nil
  ) {
    self.init(
      .ignoredConfigurationKey, severity: severity, "\"\(path)\" has no effect. \(reason)", at: span, help: help)
  }
}
