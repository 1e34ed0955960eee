/// An object of a model, split into its members, whose values are values of records.
///
/// Fragments may select one field several times, and so may aliases. Each copy of a field is a member here.
package struct ModelObject {
  struct Member {
    let key: FieldKey
    /// The names that lead to the member in the model: those of fragments, and the response key.
    let names: [String]
    var value: ModelValue
    /// Distinguishes what the object itself and each of its fragments wrote.
    let source: Int
    /// Whether the cache makes one list of the pages of the field.
    let hasPages: Bool
    /// Whether it is a local field.
    let isLocal: Bool
    /// Whether it is there for the key of the object only: a property of the same name counts in its place.
    var isKeyOnly = false
  }

  /// The value of `__typename`; nil if the model does not have it.
  package internal(set) var typename: String?
  /// Whether `typename` is the name of an interface or a union, which is not the type of any object.
  package fileprivate(set) var isOfAbstractType = false
  /// The fields that make the key of the object, in order: those of the first field table that has key fields.
  var keyFields: [FieldKey] = []
  /// The keys of objects that differ by their type, from the object's own field table.
  fileprivate(set) var typeKeys: [TypeKey] = []
  /// Whether it is kept inside of the object around it, though it has a key.
  fileprivate(set) var isEmbedded = false
  var members: [Member] = []

  /// The fields: the key in a record, the names that lead to it in the model, and whether it is a local field. Each copy of a
  /// field is one.
  package var fields: [(key: FieldKey, names: [String], value: ModelValue, isLocal: Bool)] {
    members.map { ($0.key, $0.names, $0.value, $0.isLocal) }
  }

  /// Splits a model.
  ///
  /// - Parameters:
  ///   - data: The model.
  ///   - variables: The variables of the operation.
  ///   - keys: The keys of the store for which the model is split. Fields with arguments get numbers of it. The
  ///     default is keys that no store has.
  /// - Throws: ``JSONEncodingError`` if a scalar's type cannot be written.
  package init<Data: SelectionSet>(_ data: Data, variables: Variables, keys: Locked<StoreKeys> = Locked(StoreKeys()))
    throws
  {
    let variables = variables.completed(for: Data.self)
    let recorder = ModelRecorder(variables: variables, keys: keys)
    var writer = __JSONWriter(variables: variables)
    writer.recorder = recorder
    data.__write(to: &writer)
    if let failure = writer.failure { throw failure }
    self = recorder.result
  }

  init() {}
}

/// A value of a model, of which the leaves are values of records.
package indirect enum ModelValue {
  /// A scalar, an enum, or null.
  case leaf(RecordValue)
  case list([ModelValue])
  case object(ModelObject)

  /// Keeps the objects inside of the object that has this value.
  fileprivate mutating func embed() {
    switch self {
    case .leaf: break
    case .list(var values):
      for index in values.indices { values[index].embed() }
      self = .list(values)
    case .object(var object):
      object.isEmbedded = true
      self = .object(object)
    }
  }
}

// MARK: - Splitting a model

/// Makes a ``ModelObject`` of what a ``__JSONWriter`` is told to write.
final class ModelRecorder {
  /// The object itself, or a fragment on it.
  private struct Scope {
    let table: __FieldTable.Storage
    let names: [String]
    let source: Int
  }

  private struct OpenObject {
    var object = ModelObject()
    var scopes: [Scope] = []
    var sourceCount = 0
    /// Whether it has members that are there for its key only.
    var hasKeyOnly = false
  }

  private struct State {
    var objects: [OpenObject] = []
    /// The values that are complete, and belong to a field or a list that is still open.
    var values: [ModelValue] = []
    /// How many values there were when each of the open lists began.
    var lists: [Int] = []
    /// The variables, and the keys of fields with arguments that they make.
    var variables: Variables
    var resolvedKeys: [ObjectIdentifier: [FieldKey]] = [:]
    /// Those around the fragments with arguments that are being written.
    var outerVariables: [(variables: Variables, resolvedKeys: [ObjectIdentifier: [FieldKey]])] = []
    var memberNames: [ObjectIdentifier: String] = [:]
  }

  private let storeKeys: Locked<StoreKeys>
  private let state: Owned<State>

  init(variables: Variables, keys: Locked<StoreKeys>) {
    state = Owned(State(variables: variables))
    storeKeys = keys
  }

  var result: ModelObject {
    if case .object(let object)? = state.value.values.last { object } else { ModelObject() }
  }

  func add(_ value: RecordValue) { state.value.values.append(.leaf(value)) }

  // MARK: Lists

  func openList() { state.value.lists.append(state.value.values.count) }

  func closeList() {
    let start = min(state.value.lists.popLast() ?? 0, state.value.values.count)
    let elements = Array(state.value.values[start...])
    state.value.values.removeSubrange(start...)
    state.value.values.append(.list(elements))
  }

  // MARK: Objects

  func openObject(_ table: __FieldTable.Storage) {
    var open = OpenObject()
    open.object.typeKeys = table.typeKeys
    state.value.objects.append(open)
    enter(table, fragment: nil)
  }

  func closeObject() {
    guard let open = state.value.objects.popLast() else { return }
    state.value.values.append(.object(open.object))
  }

  /// Begins a selection of fields: the object itself, or a fragment on it.
  ///
  /// - Parameters:
  ///   - table: The field table of the selection.
  ///   - fragment: The type of the fragment; nil for the object itself.
  func enter(_ table: __FieldTable.Storage, fragment: (any Any.Type)?) {
    guard var open = state.value.objects.popLast() else { return }
    let names = (open.scopes.last?.names ?? []) + (fragment.map { [memberName($0)] } ?? [])
    open.scopes.append(Scope(table: table, names: names, source: open.sourceCount))
    open.sourceCount += 1
    if open.object.keyFields.isEmpty { open.object.keyFields = table.keyFields.array }
    state.value.objects.append(open)
  }

  func leave() {
    guard !state.value.objects.isEmpty else { return }
    _ = state.value.objects[state.value.objects.count - 1].scopes.popLast()
  }

  /// Begins a fragment with arguments.
  ///
  /// - Parameter variables: The variables within it.
  func enterScope(_ variables: Variables) {
    state.value.outerVariables.append((state.value.variables, state.value.resolvedKeys))
    (state.value.variables, state.value.resolvedKeys) = (variables, [:])
  }

  /// Ends a fragment with arguments.
  func leaveScope() {
    guard let outer = state.value.outerVariables.popLast() else { return }
    (state.value.variables, state.value.resolvedKeys) = outer
  }

  /// The name of the member that holds a fragment: the name of its type with a small first letter.
  private func memberName(_ fragment: any Any.Type) -> String {
    if let known = state.value.memberNames[ObjectIdentifier(fragment)] { return known }
    let type = "\(fragment)"
    let name = type.prefix(1).lowercased() + type.dropFirst()
    state.value.memberNames[ObjectIdentifier(fragment)] = name
    return name
  }

  // MARK: Fields

  /// How many values are waiting for ``endField(_:_:)``. (Not inlined, so that what writes JSON stays small.)
  var valueCount: Int { @inline(never) get { state.value.values.count } }

  func removeValues(from start: Int) { state.value.values.removeSubrange(min(start, state.value.values.count)...) }

  /// Adds a field that is there for the key of the object only.
  func endKeyField(_ i: Int, _ start: Int) {
    endField(i, start)
    guard let open = state.value.objects.indices.last,
      let member = state.value.objects[open].object.members.indices.last
    else { return }
    state.value.objects[open].object.members[member].isKeyOnly = true
    state.value.objects[open].hasKeyOnly = true
  }

  func endField(_ i: Int, _ start: Int) {
    guard state.value.values.count > start, var value = state.value.values.last,
      let scope = state.value.objects.last?.scopes.last
    else { return }
    if scope.table.fields[i].isEmbedded { value.embed() }
    state.value.values.removeSubrange(start...)
    let key = keys(of: scope.table)[i], last = state.value.objects.count - 1
    if key == .typename {
      if case .leaf(.string(let name)) = value, state.value.objects[last].object.typename == nil {
        state.value.objects[last].object.typename = name
        state.value.objects[last].object.isOfAbstractType = scope.table.abstractTypes.contains(name)
      }
      return
    }
    if state.value.objects[last].hasKeyOnly {
      state.value.objects[last].object.members.removeAll { $0.key == key && $0.isKeyOnly }
    }
    state.value.objects[last].object.members.append(
      .init(
        key: key, names: scope.names + [scope.table.fields[i].responseKey], value: value, source: scope.source,
        hasPages: scope.table.paginations[i].map { $0.style != .key } ?? false,
        isLocal: scope.table.fields[i].isLocal))
  }

  /// Whether the current object has field `i` of the current table already, from one of its fragments.
  func hasMember(_ i: Int) -> Bool {
    guard let open = state.value.objects.last, let table = open.scopes.last?.table, table.fields.count > i, i >= 0
    else {
      return false
    }
    let key = keys(of: table)[i]
    return open.object.members.contains { $0.key == key }
  }

  private func keys(of table: __FieldTable.Storage) -> [FieldKey] {
    if let known = state.value.resolvedKeys[ObjectIdentifier(table)] { return known }
    var keys = table.staticKeys.array
    for (field, name, text) in table.arguments {
      let key = CanonicalArguments.fieldKey(
        name: name, arguments: text, policy: table.policies[field], pagination: table.paginations[field],
        variables: state.value.variables)
      keys[field] = storeKeys.withLock { $0.fieldKey(key) }
    }
    state.value.resolvedKeys[ObjectIdentifier(table)] = keys
    return keys
  }
}

extension __JSONWriter {
  /// Adds a value to the recorder.
  @inline(never) mutating func record(_ value: RecordValue) { recorder?.add(value) }

  /// Records everything that `body` writes as one JSON value of a record.
  @inline(never) mutating func recordJSON(_ body: (inout __JSONWriter) -> Void) {
    let start = output.count, recorder = recorder
    self.recorder = nil
    body(&self)
    self.recorder = recorder
    takeJSON(from: start)
  }

  mutating func takeJSON(from start: Int) {
    recorder?.add(.json(String(decoding: output.array(start..<output.count), as: UTF8.self)))
    output.truncate(to: start)
  }
}
