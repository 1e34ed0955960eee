/// The style in which the servers of a test write what they send.
public enum ResponseStyle {
  /// nil: as the test wrote it.
  @TaskLocal public static var current: JSONStyle?

  /// A response, or any other JSON that a server sends, in the current style.
  public static func restyle(_ text: String) -> String { current?.restyle(text) ?? text }

  public static func restyle(_ text: [UInt8]) -> [UInt8] { current?.restyle(text) ?? text }
}

extension String {
  /// This JSON in the current style.
  public var restyled: String { ResponseStyle.restyle(self) }
}
