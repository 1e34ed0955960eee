@testable import ApolloAPI
import ApolloIR

/// Which operation a ``Model`` stands for: there is one at a time.
protocol Slot: Sendable {
  static var plan: ModelPlan? { get set }
  /// What the app says of its schema; nil if it says nothing.
  static var schema: (any SchemaMetadata.Type)? { get }
}

extension Slot {
  static var schema: (any SchemaMetadata.Type)? { nil }
}

enum First: Slot {
  // Set while nothing is being read.
  nonisolated(unsafe) static var plan: ModelPlan?
  nonisolated(unsafe) static var schema: (any SchemaMetadata.Type)?
}

enum Second: Slot {
  nonisolated(unsafe) static var plan: ModelPlan?
}

/// The data of an operation that was never compiled.
struct Model<Operation: Slot>: SelectionSet, Hashable, Sendable {
  var object: Tree.Object

  static var schema: (any SchemaMetadata.Type)? { Operation.schema }
  static var __fields: __FieldTable { Operation.plan?.table ?? __FieldTable(version: 1, "") }

  init(__reading reader: inout __ObjectReader) throws(__ReadError) {
    object = Operation.plan == nil ? Tree.Object() : try Tree.members(Operation.plan!, &reader)
  }

  func __writeFields(to writer: inout __JSONWriter) { object.writeMembers(to: &writer) }
}

struct ModelQuery<Operation: Slot>: GraphQLQuery {
  typealias Data = Model<Operation>
  static var operationName: String { "Random" }
  static var operationDocument: OperationDocument { OperationDocument("query Random { x }") }
  let values: Variables

  init(variables: Variables) { values = variables }

  func __writeVariables(to writer: inout __JSONWriter) {
    for (name, value) in values.members {
      writer.write(member: name, JSONText(value))
      writer.writtenMembers.append((name, (writer.output.count - value.count)..<writer.output.count))
    }
  }
}

struct JSONText: __JSONWritable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func __write(to writer: inout __JSONWriter) { writer.writeRaw(bytes) }
}

/// A value that was read by a ``ModelPlan``.
indirect enum Tree: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case list([Tree])
  case object(Object)

  struct Object: Hashable, Sendable {
    enum Place: Hashable, Sendable {
      case field(Int)
      case keyField(Int)
      case fragment
    }

    struct Member: Hashable, Sendable {
      /// The name in the document: the response key, or `...` and the name of a fragment.
      var key: String
      var place: Place
      var value: Tree
    }

    nonisolated(unsafe) var plan: ModelPlan?
    var typename: String?
    var members: [Member] = []
    /// Which object it is, where it is marked.
    var place: NaivePlace?

    static func == (a: Self, b: Self) -> Bool { a.typename == b.typename && a.members == b.members }

    func hash(into hasher: inout Hasher) {
      hasher.combine(typename)
      hasher.combine(members)
    }
  }
}

// MARK: - Reading, as generated initializers do it

extension Tree {
  static func members(_ plan: ModelPlan, _ reader: inout __ObjectReader) throws(__ReadError) -> Object {
    var object = Object(plan: plan)
    switch plan.typename {
    case .none: break
    case .constant(let name): object.typename = name
    case .stored: object.typename = try reader.typename()
    }
    for step in plan.steps {
      if let condition = step.condition, !reader.includes(condition) { continue }
      if let types = step.types, try !reader.isType(types) { continue }
      switch step.source {
      case .field(let position, let type, let nested):
        let value = try field(position, type, nested, &reader)
        object.members.append(.init(key: step.key, place: .field(position), value: value))
      case .keyField(let position, let type):
        guard try reader.isKeyField(position) else { continue }
        let value = try field(position, type, nil, &reader)
        object.members.append(.init(key: step.key, place: .keyField(position), value: value))
      case .fragment(let nested), .inlineFragment(let nested):
        let outer = reader.enter(nested.table)
        let members = try members(nested, &reader)
        reader.leave(outer)
        object.members.append(.init(key: step.key, place: .fragment, value: .object(members)))
      }
    }
    return object
  }

  private static func field(
    _ position: Int, _ type: ValueType, _ nested: ModelPlan?, _ reader: inout __ObjectReader
  ) throws(__ReadError) -> Tree {
    // The concrete calls for the most common types, and the generic one for all others.
    switch type {
    case .scalar(.string), .scalar(.id): return .string(try reader.read(position))
    case .scalar(.int): return .int(try reader.read(position))
    case .scalar(.float): return .double(try reader.read(position))
    case .scalar(.boolean): return .bool(try reader.read(position))
    case .nullable(.scalar(.string)), .nullable(.scalar(.id)):
      return try (reader.read(position) as String?).map { .string($0) } ?? .null
    case .nullable(.scalar(.int)): return try (reader.read(position) as Int?).map { .int($0) } ?? .null
    case .nullable(.scalar(.float)): return try (reader.read(position) as Double?).map { .double($0) } ?? .null
    case .nullable(.scalar(.boolean)): return try (reader.read(position) as Bool?).map { .bool($0) } ?? .null
    default: break
    }
    let found = type.isNullable ? try reader.find(position) : try reader.findRequired(position)
    if found == __ObjectReader.absent { return .null }
    let value = try value(type, nested, &reader)
    if found == __ObjectReader.again { reader.finishRepeated() }
    return value
  }

  private static func value(
    _ type: ValueType, _ nested: ModelPlan?, _ reader: inout __ObjectReader
  ) throws(__ReadError) -> Tree {
    switch type {
    case .nullable(let type):
      return try reader.nullable { reader throws(__ReadError) -> Tree in try value(type, nested, &reader) } ?? .null
    case .list(let element):
      return .list(
        try reader.elements { reader throws(__ReadError) -> Tree in try value(element, nested, &reader) })
    case .object:
      guard let nested else { return .null }
      try reader.beginObject(nested.table)
      let object = try members(nested, &reader)
      try reader.endObject()
      return .object(object)
    case .scalar(.int): return .int(try Int.__read(from: &reader))
    case .scalar(.float): return .double(try Double.__read(from: &reader))
    case .scalar(.boolean): return .bool(try Bool.__read(from: &reader))
    default: return .string(try String.__read(from: &reader))
    }
  }
}

// MARK: - Writing

extension Tree: __JSONWritable {
  func __write(to writer: inout __JSONWriter) {
    switch self {
    case .null: writer.writeNull()
    case .bool(let value): writer.write(value)
    case .int(let value): writer.write(value)
    case .double(let value): writer.write(value)
    case .string(let value): writer.write(value)
    case .list(let values): writer.writeList(values) { $1.__write(to: &$0) }
    case .object(let object):
      guard let plan = object.plan else { return }
      writer.openObject(plan.table)
      object.writeMembers(to: &writer)
      writer.closeObject()
    }
  }
}

extension Tree.Object {
  func writeMembers(to writer: inout __JSONWriter) {
    guard let plan else { return }
    if let typename, plan.typename.position != nil { writer.write(0, typename) }
    for member in members {
      switch (member.place, member.value) {
      case (.field(let position), let value): writer.write(position, value)
      case (.keyField, _): break
      case (.fragment, .object(let fragment)):
        guard let nested = fragment.plan else { break }
        let outer = writer.enter(nested.table, Fragment.self)
        fragment.writeMembers(to: &writer)
        writer.leave(outer)
      default: break
      }
    }
    for case .keyField(let position) in members.map(\.place) {
      writer.writeKey(position, members.first { $0.place == .keyField(position) }?.value)
    }
  }

  /// Stands for the types of all fragments.
  enum Fragment {}
}

extension ModelPlan.Typename {
  fileprivate var position: Int? {
    if case .none = self { nil } else { 0 }
  }
}
