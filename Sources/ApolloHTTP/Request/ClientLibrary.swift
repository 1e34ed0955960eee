import ApolloAPI
import ApolloTransport

/// The name and version of this library, which requests send in `extensions` (client awareness).
enum ClientLibrary {
  private static let description: JSONObject = [
    "name": Constants.ApolloClientName, "version": Constants.ApolloClientVersion,
  ]

  /// The name and version, where they are sent, and other `extensions`, which come first.
  static func extensions(isNamed: Bool, and others: JSONObject) -> JSONObject {
    isNamed ? (["clientLibrary": description] as JSONObject).merging(others) { $1 } : others
  }

  /// The `extensions` of a request that has no other members in them.
  struct Extensions: __JSONWritable {
    init() {}

    func __write(to writer: inout __JSONWriter) { writer.writeRaw(Self.json) }

    private static let json = {
      var writer = __JSONWriter()
      writer.writeJSON(["clientLibrary": description])
      return writer.bytes
    }()
  }
}
