import Apollo
@testable import ApolloAPI
import GraphQLExecution
import GraphQLSyntax
import RandomAccessors
import RandomDocuments
import ResponseStyles

/// A request and its response, and what a naive client reads of it.
struct Exchange<Operation: GraphQLOperation> {
  let document: String
  let variables: Variables
  let naive: NaiveOperation
  /// The operation as it was written, without what the generator adds.
  let written: NaiveOperation
  /// The response, and another one of a server whose data have changed, each in a style of its own.
  let response, changed: [UInt8]
  let expected: Expectation
  /// Whether the server has failed at some fields.
  private(set) var hasErrors = false
  private let seed: UInt64

  /// What is to be read: of the operation as it is sent, and as it was written.
  ///
  /// The generator adds the fields of cache keys, also those of types that an object of an interface or of a union may
  /// have. Those are not part of the models.
  struct Expectation {
    let sent, written: GraphQLValue?
    /// Whether a miss is right as well: the cache keeps an added field only for the types whose keys it is a part of.
    var mayBeMissing = false
    /// What is right as well, for the same reason: values that were newer as added fields only.
    var kept: GraphQLValue?
  }

  /// nil if there are no data, as something failed that may not be null.
  init?(_ type: Operation.Type, _ schemas: Schemas, _ seed: UInt64) async throws {
    document = Operation.operationDocument.text
    self.seed = seed
    let document = Parser.parse(self.document, name: Operation.operationName).value
    guard let definition = Array(document.operations).first else { throw Mismatch("There is no operation.") }
    var responses: [[UInt8]] = [], values = GraphQLValue.Object()
    for seed in [seed, seed &+ 1] {
      // A third of the servers fail at times.
      let server = try schemas.server(seed: seed, failsSometimes: seed % 3 == 0)
      let variables = server.variables(of: definition, seed: seed)
      if responses.isEmpty { values = variables.read }
      let result = await server.api.execute(document, variables: responses.isEmpty ? variables.sent : values)
      guard result.errors.isEmpty || seed % 3 == 0 else { throw Mismatch("\(result.errors)\n\(self.document)") }
      if !result.errors.isEmpty { hasErrors = true }
      guard result.data?.isNull == false else { return nil }
      responses.append(result.json)
    }
    guard let naive = NaiveOperation(self.document, schema: schemas.app, variables: values),
      let written = NaiveOperation(
        try schemas.document(of: Operation.operationName), schema: schemas.app, variables: values)
    else { return nil }
    (self.naive, self.written) = (naive, written)
    variables = Variables(values)
    response = JSONStyle(seed: seed).restyle(responses[0])
    changed = JSONStyle(seed: seed &+ 1).restyle(responses[1])
    let data = try GraphQLValue(json: responses[0])["data"] ?? .null
    expected = Expectation(
      sent: NaiveStore.evaluate(data, naive), written: NaiveStore.evaluate(data, written))
  }

  var description: String {
    "\(document)\nvariables \(String(decoding: variables.json, as: UTF8.self))\n"
      + "response \(String(decoding: response.prefix(4000), as: UTF8.self))"
  }

  var query: AnyQuery<Operation> { AnyQuery(variables: variables) }

  func read(_ response: [UInt8]) throws -> Operation.Data {
    do {
      let contents = try ResponseReader.read(Operation.Data.self, from: ResponseBytes(response), variables: variables)
      guard let data = contents.data else { throw Mismatch("No data were read.") }
      return data
    } catch let error as ResponseDecodingError {
      throw Mismatch("The response cannot be read: \(error)")
    }
  }

  func json(_ data: Operation.Data) throws -> GraphQLValue {
    var writer = __JSONWriter(variables: variables)
    data.__write(to: &writer)
    return try GraphQLValue(json: writer.bytes)
  }

  /// Typed reading, the values of all properties, writing, and reading what was written.
  func check() throws {
    let data = try read(response)
    try same(json(data), expected, "What was written is not what was sent")
    let again = try Operation.Data(jsonObject: data.jsonObject(variables: variables), variables: variables)
    guard isEqual(again, data) else { throw Mismatch("What was written reads as something else.") }
    try HashCheck.run(data, again: again)
    var checker = AccessorCheck(naive)
    try checker.check(data, expected.sent ?? .null, at: "data")
    try ChangeCheck(exchange: self, data: data, sharedTypes: checker.sharedTypes).run()
  }

  func same(_ found: GraphQLValue?, _ wanted: Expectation, _ claim: String) throws {
    let found = Self.withoutRootType(found)
    if wanted.mayBeMissing, found == nil { return }
    let wanted = Self.withoutRootType(Self.wanted(wanted.written, wanted.sent, found, wanted.kept))
    guard found != wanted else { return }
    guard let found, let wanted else {
      throw Mismatch("\(claim): \(found.map { "\($0)" } ?? "a miss") instead of \(wanted.map { "\($0)" } ?? "a miss")")
    }
    throw Mismatch("\(claim): \(Self.difference(found, wanted, at: "data"))")
  }

  /// A model knows the type of the root also where the operation asks for it under a condition only.
  private static func withoutRootType(_ value: GraphQLValue?) -> GraphQLValue? {
    guard case .object(var members)? = value else { return value }
    members["__typename"] = nil
    return .object(members)
  }

  /// What the operation selects as it was written, and of what was added as much as was found.
  private static func wanted(
    _ written: GraphQLValue?, _ sent: GraphQLValue?, _ found: GraphQLValue?, _ kept: GraphQLValue?
  ) -> GraphQLValue? {
    if case .object(let members)? = written, case .object(let others)? = found {
      var all = members
      for (key, value) in members { all[key] = wanted(value, sent?[key], others[key], kept?[key]) }
      for (key, value) in others where members[key] == nil { all[key] = sent == nil ? value : sent?[key] }
      return .object(all)
    }
    if let elements = written?.list, let others = found?.list, elements.count == others.count {
      return .list(
        elements.indices.map { index in
          let kept = kept?.list.flatMap { $0.count == elements.count ? $0[index] : nil }
          return wanted(elements[index], sent?.list?[index], others[index], kept) ?? .null
        })
    }
    return found != nil && found == kept ? found : written
  }

  private static func difference(_ found: GraphQLValue, _ wanted: GraphQLValue, at path: String) -> String {
    if let one = found.object, let two = wanted.object {
      for key in Set(one.keys + two.keys).sorted() where one[key] != two[key] {
        guard let left = one[key] else { return "\(path).\(key) is missing" }
        guard let right = two[key] else { return "\(path).\(key) is \(left), and nothing was expected" }
        return difference(left, right, at: "\(path).\(key)")
      }
    }
    if let one = found.list, let two = wanted.list, one.count == two.count {
      for index in one.indices where one[index] != two[index] {
        return difference(one[index], two[index], at: "\(path)[\(index)]")
      }
    }
    return "\(path) is \(found), and \(wanted) was expected"
  }

  private func isEqual<Value>(_ left: Value, _ right: Value) -> Bool {
    guard let left = left as? AnyHashable, let right = right as? AnyHashable else { return true }
    return left == right
  }
}

/// Any operation as a query with the given variables.
struct AnyQuery<Base: GraphQLOperation>: GraphQLQuery {
  typealias Data = Base.Data
  static var operationType: GraphQLOperationType { Base.operationType }
  static var operationName: String { Base.operationName }
  static var operationDocument: OperationDocument { Base.operationDocument }
  let values: Variables

  init(variables: Variables) { values = variables }

  func __writeVariables(to writer: inout __JSONWriter) {
    for (name, value) in values.members {
      writer.write(member: name, JSONText(bytes: value))
      writer.writtenMembers.append((name, (writer.output.count - value.count)..<writer.output.count))
    }
  }

  private struct JSONText: __JSONWritable {
    let bytes: [UInt8]

    func __write(to writer: inout __JSONWriter) { writer.writeRaw(bytes) }
  }
}

extension Variables {
  init(_ values: GraphQLValue.Object) {
    var json = Array("{".utf8)
    var members: [(name: String, value: Range<Int>)] = []
    for (name, value) in values {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += Array("\"\(name)\":".utf8)
      let start = json.count
      json += value.json
      members.append((name, start..<json.count))
    }
    self.init(json: json + [UInt8(ascii: "}")], members: members)
  }

  fileprivate var members: [(name: String, value: [UInt8])] {
    guard let object = try? JSONMembers(ResponseBytes(json)) else { return [] }
    return object.names.compactMap { name in object.text(of: name).map { (name, Array($0.text.utf8)) } }
  }
}
