/// The values of an operation's variables, as JSON.
public struct Variables: Hashable, Sendable {
  /// The JSON object, in UTF-8. Variables without a value are absent.
  public let json: [UInt8]
  /// The name of a variable, and where its value is in the JSON.
  typealias Member = (name: String, value: Range<Int>)

  // (There are few. To look for one among them takes less than a table of them does.)
  private let members: [Member]
  /// Why a value could not be written as JSON; nil if all could.
  package let failure: JSONEncodingError?

  init(json: [UInt8], members: [Member], failure: JSONEncodingError? = nil) {
    self.json = json
    self.members = members
    self.failure = failure
  }

  init(_ write: (inout __JSONWriter) -> Void) {
    var writer = __JSONWriter()
    writer.notesMembers = true
    // (The braces stand here: an object of the writer would cost as much as a few variables.)
    writer.output.append(UInt8(ascii: "{"))
    write(&writer)
    writer.output.append(UInt8(ascii: "}"))
    if writer.writtenMembers.isEmpty, writer.failure == nil {
      self = .none
    } else {
      self.init(json: writer.bytes, members: writer.writtenMembers, failure: writer.failure)
    }
  }

  /// Makes variables for an operation whose type is not known, such as one that is read from a file.
  ///
  /// Values are what `JSONSerialization` or a dictionary literal gives; ``JSONNull`` stands for null. A value, or a
  /// member of an object, that is ``GraphQLNullable/none`` is left out. An operation with a value that has no form in
  /// JSON cannot be sent.
  public init(_ values: JSONObject) {
    let values = values.compactMapValues(sentInput)
    var writer = __JSONWriter()
    var members: [Member] = []
    writer.writeRaw("{".utf8)
    for name in values.keys.sorted() {
      if !members.isEmpty { writer.writeRaw(",".utf8) }
      writer.write(name)
      writer.writeRaw(":".utf8)
      let start = writer.output.count
      writer.writeJSON(values[name] ?? JSONNull())
      members.append((name, start..<writer.output.count))
    }
    writer.writeRaw("}".utf8)
    self.init(json: writer.bytes, members: members, failure: writer.failure)
  }

  /// No variables.
  public static let none = Variables(json: Array("{}".utf8), members: [])

  /// Whether no variable has a value.
  public var isEmpty: Bool { members.isEmpty }

  /// The JSON of one variable; nil if it has no value.
  subscript(name: String) -> ArraySlice<UInt8>? {
    members.last { $0.name == name }.map { json[$0.value] }
  }

  /// Adds values, as JSON, under names that have none yet.
  func adding(_ values: [(name: String, json: String)]) -> Variables {
    if values.isEmpty { return self }
    var json = Array(json.dropLast()), members = members
    for (name, value) in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += "\"\(name)\":".utf8
      members.append((name, json.count..<(json.count + value.utf8.count)))
      json += value.utf8
    }
    json.append(UInt8(ascii: "}"))
    return Variables(json: json, members: members, failure: failure)
  }

  func isBoolean(_ value: Bool, _ name: String) -> Bool {
    self[name].map { $0.elementsEqual((value ? "true" : "false").utf8) } ?? false
  }
}

extension Variables {
  /// Compares the JSON.
  public static func == (lhs: Variables, rhs: Variables) -> Bool { lhs.json == rhs.json }

  /// Feeds the JSON into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}

extension Variables: CustomStringConvertible {
  /// The JSON object as text.
  public var description: String { String(decoding: json, as: UTF8.self) }
}

extension Variables: __JSONWritable {
  /// Writes the JSON object. If a value could not be written, the writer fails.
  public func __write(to writer: inout __JSONWriter) {
    if let failure { return writer.fail(failure) }
    writer.writeRaw(json)
  }

  /// Writes the members as the variables of an operation, sorted by name.
  func writeMembers(to writer: inout __JSONWriter) {
    if let failure { return writer.fail(failure) }
    for (name, value) in members.sorted(by: { $0.name < $1.name }) {
      writer.write(variable: name, ResponseBytes(Array(json[value])))
    }
  }
}

extension JSONMembers {
  /// Writes the members as the variables of an operation, sorted by name.
  package func writeVariables(to writer: inout __JSONWriter) {
    for name in names {
      if let text = text(of: name) { writer.write(variable: name, text) }
    }
  }
}
