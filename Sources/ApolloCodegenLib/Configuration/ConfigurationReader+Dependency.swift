import ApolloSwiftRenderer
import ApolloVersion
import GraphQLJSON
import GraphQLSyntax

extension ConfigurationReader {
  /// Where a generated package finds this package. Only the address and the version of it are known here: what is in a
  /// folder, or a fork, is not.
  mutating func dependency(
    _ node: ConfigurationNode?
  ) throws(DiagnosticsError) -> ApolloCodegenConfiguration.PackageDependency {
    let version = node?["sdkVersion"], url = node?["url"]
    if let path = try version?["local"]?.required("path").string() {
      if let url { warn(url, "The package is in a folder.") }
      return .local(path: path)
    }
    if let url, Self.isApolloIOS(try url.string()) {
      warn(url, "Generated code needs this package, in the version of the generator, and not Apollo iOS.")
      return .standard
    }
    var requirement = ApolloCodegenConfiguration.PackageDependency.standardRequirement
    if let version {
      switch version.node.value {
      case .string: _ = try version.choice([("default", ())])
      case .object: break
      default: throw version.mismatch("\"default\" or an object")
      }
    }
    for (key, inner, keyword) in [
      ("branch", "name", "branch"), ("commit", "hash", "revision"), ("exact", "version", "exact"),
      ("from", "version", "from"),
    ] {
      if let value = try version?[key]?.required(inner).string() {
        requirement = "\(keyword): " + Literal.string(value)
        if inner == "version", url == nil, let version { warnIfNewer(value, at: version) }
      }
    }
    let address = try url?.string() ?? ApolloCodegenConfiguration.PackageDependency.standardURL
    return .remote(url: address, requirement: requirement)
  }

  /// Whether an address is that of the repository of Apollo iOS, in any of the forms that Git knows.
  private static func isApolloIOS(_ address: String) -> Bool {
    var path = address.lowercased()[...]
    if path.hasSuffix("/") { path.removeLast() }
    if path.hasSuffix(".git") { path.removeLast(4) }
    return path.hasSuffix("/apollographql/apollo-ios") || path.hasSuffix(":apollographql/apollo-ios")
  }

  /// Reports a version of this package that is above that of the generator: it may be one of Apollo iOS.
  private mutating func warnIfNewer(_ version: String, at node: ConfigurationNode) {
    // A pre-release comes before its release, and what the build was does not count.
    func numbers(_ version: String) -> [Int] {
      version.prefix { $0 != "-" && $0 != "+" }.split(separator: ".").map { Int($0) ?? 0 }
    }
    guard numbers(apolloVersion).lexicographicallyPrecedes(numbers(version)) else { return }
    warnings.append(
      Diagnostic(
        .invalidConfiguration, severity: .warning,
        "\"\(node.path)\" is \(version), but the generator is \(apolloVersion).", at: node.span,
        help: "It is a version of this package, and not of Apollo iOS. Use \"default\"."))
  }
}
