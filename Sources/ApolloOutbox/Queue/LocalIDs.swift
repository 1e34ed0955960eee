import ApolloAPI
import Foundation

/// Temporary ids of objects that mutations make: `local:` and a UUID in lower case. And what became of them.
struct LocalIDs: Sendable {
  /// What is known of a temporary id.
  enum Known {
    /// The server has given an id.
    case server
    /// The mutation that makes the object waits, or is under way.
    case awaited
    /// There will be no id of the server.
    case never(reason: String)
  }

  private static let prefix = Array("local:".utf8)
  private static let length = 36

  /// The ids of the server, by temporary ids; nil: there is none.
  private(set) var serverIDs: [String: String?] = [:]
  /// How often something has changed.
  private(set) var changeCount = 0

  init(_ serverIDs: [String: String?] = [:]) { self.serverIDs = serverIDs }

  /// Makes a temporary id that no other object has.
  static func make() -> String { "local:" + UUID().uuidString.lowercased() }

  /// Notes the id of the server; nil: there is none. An id that is known stays: of two mutations that make the object,
  /// one may end without an id.
  mutating func set(_ server: String?, for local: String) {
    guard server != nil || serverID(for: local) == nil else { return }
    if serverIDs.updateValue(server, forKey: local) != .some(server) { changeCount += 1 }
  }

  /// The id of the server; nil if it is not known, or if there is none.
  func serverID(for local: String) -> String? { serverIDs[local] ?? nil }

  /// Whether a text is a temporary id.
  static func isLocal(_ text: String) -> Bool { all(in: text.utf8).first == text }

  /// The temporary ids in a text, each once, in their order.
  static func all(in text: some Sequence<UInt8>) -> [String] {
    let bytes = Array(text)
    var known: Set<String> = []
    return places(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }.filter { known.insert($0).inserted }
  }

  /// Where the temporary ids are in a text, in their order.
  private static func places(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = [], start = 0
    while start + prefix.count + length <= bytes.count {
      guard bytes[start] == prefix[0], bytes[start..<start + prefix.count].elementsEqual(prefix) else {
        start += 1
        continue
      }
      let end = start + prefix.count + length
      let digits = bytes[(start + prefix.count)..<end]
      let isID = digits.enumerated().allSatisfy { offset, byte in
        [8, 13, 18, 23].contains(offset)
          ? byte == UInt8(ascii: "-")
          : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
      }
      guard isID else {
        start += 1
        continue
      }
      found.append(start..<end)
      start = end
    }
    return found
  }

  /// A key of the cache with the ids of the server.
  func resolved(_ key: String) -> String { replace(in: key) { $0 } }

  /// A JSON text with the ids of the server in its strings.
  func resolved(json: Data) -> Data {
    guard !serverIDs.isEmpty else { return json }
    let text = String(decoding: json, as: UTF8.self)
    let changed = replace(in: text) { id in
      var writer = __JSONWriter()
      writer.write(id)
      return String(writer.text.dropFirst().dropLast())
    }
    return changed == text ? json : Data(changed.utf8)
  }

  private func replace(in text: String, _ form: (String) -> String) -> String {
    guard !serverIDs.isEmpty, text.utf8.count >= Self.prefix.count + Self.length else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = [], end = 0
    for place in Self.places(in: bytes) {
      guard let server = serverID(for: String(decoding: bytes[place], as: UTF8.self)) else { continue }
      result += bytes[end..<place.lowerBound]
      result += form(server).utf8
      end = place.upperBound
    }
    return end == 0 ? text : String(decoding: result + bytes[end...], as: UTF8.self)
  }
}

/// Where a text is in a JSON value.
enum JSONPaths {
  /// The path of the first string that is equal to a text, in the order of names; nil if there is none.
  static func first(of text: String, in value: JSONValue) -> [String]? {
    switch value {
    case let value as String: return value == text ? [] : nil
    case let object as JSONObject:
      // What is nearer to the root is more likely to be what is meant.
      let found = object.keys.sorted().compactMap { name in
        object[name].flatMap { first(of: text, in: $0) }.map { [name] + $0 }
      }
      return found.min { $0.count < $1.count }
    case let list as [JSONValue]:
      let found = list.enumerated().compactMap { index, value in
        first(of: text, in: value).map { [String(index)] + $0 }
      }
      return found.min { $0.count < $1.count }
    default: return nil
    }
  }

  /// The string, or the whole number as a text, at a path; nil if there is none.
  static func text(at path: [String], in value: JSONValue) -> String? {
    var value = value
    for name in path {
      if let object = value as? JSONObject, let member = object[name] {
        value = member
      } else if let list = value as? [JSONValue], let index = Int(name), list.indices.contains(index) {
        value = list[index]
      } else {
        return nil
      }
    }
    return value as? String ?? wholeNumber(value).map(String.init)
  }
}
