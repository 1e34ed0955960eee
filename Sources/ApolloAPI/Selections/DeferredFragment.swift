/// A fragment with `@defer`: the server may send it later than the fields around it.
///
/// Each part of the response makes a new result, in which more of these are ``ready(_:)``:
///
///     switch hero.details {
///     case .pending: showSpinner()
///     case .ready(let details): show(details.biography)
///     case .failed(let errors): show(errors)
///     case .notExecuted: break
///     }
///
/// Its members can also be read as optionals: `hero.details.biography`.
@dynamicMemberLookup
public indirect enum DeferredFragment<Fragment> {
  /// The fragment has not come yet. In data from the cache, it may be missing.
  case pending
  /// The fragment is there: it came with the first part or a later one, or the server does not defer.
  case ready(Fragment)
  /// The fragment will not come. The errors say why; the result has them as well.
  case failed([GraphQLError])
  /// The fragment does not belong to this object: the object has another type, `@include` or `@skip` leave the fragment
  /// out, or the response has ended without it.
  case notExecuted

  /// The fragment; nil unless it is ``ready(_:)``.
  public var value: Fragment? {
    if case .ready(let value) = self { value } else { nil }
  }

  /// A member of the fragment; nil unless the fragment is ``ready(_:)``.
  public subscript<T>(dynamicMember path: KeyPath<Fragment, T>) -> T? { value?[keyPath: path] }

  /// A member of the fragment; nil unless the fragment is ``ready(_:)`` and the member has a value.
  public subscript<T>(dynamicMember path: KeyPath<Fragment, T?>) -> T? { value?[keyPath: path] }
}

extension DeferredFragment: Sendable where Fragment: Sendable {}
extension DeferredFragment: Equatable where Fragment: Equatable {}
extension DeferredFragment: Hashable where Fragment: Hashable {}

/// The state of a deferred fragment in a response that was joined of parts.
///
/// The object that a fragment belongs to has a member `@defer`, which cannot be the name of a field. It has a member
/// for the label of each fragment: `{"@defer": {"details": "pending"}, "name": "R2-D2"}`. A fragment that is not
/// mentioned was executed with its object. But if the response itself has a member `@defer` before its data, that is
/// the state of all fragments that are neither mentioned nor there. (The form of 2022 does not announce what will
/// come.)
package enum DeferMark: Sendable {
  case pending, ready, notExecuted
  case failed([GraphQLError])

  package static let member = "@defer"

  package init?(_ value: JSONValue?) {
    switch value {
    case let name as String:
      switch name {
      case "pending": self = .pending
      case "ready": self = .ready
      case "notExecuted": self = .notExecuted
      default: return nil
      }
    case let errors as [JSONValue]: self = .failed(errors.map { GraphQLError(anyValue: $0) })
    default: return nil
    }
  }
}

extension DeferMark: __JSONWritable {
  package func __write(to writer: inout __JSONWriter) {
    switch self {
    case .pending: writer.write("pending")
    case .ready: writer.write("ready")
    case .notExecuted: writer.write("notExecuted")
    case .failed(let errors): writer.writeList(errors) { $0.writeJSON($1.object) }
    }
  }
}

// MARK: - Reading

extension __ObjectReader {
  /// Reads a fragment with `@defer` on the current object, if it is there.
  /// - Returns: The fragment, or its state.
  /// - Throws: ``__ReadError`` if the fragment is there and cannot be read.
  public mutating func deferred<Value: SelectionSet>(
    _ i: Int, _ label: StaticString
  ) throws(__ReadError) -> DeferredFragment<Value> {
    switch try mark(i, label) {
    case .ready: return .ready(try fragment())
    case .pending: return .pending
    case .notExecuted: return .notExecuted
    case .failed(let errors): return .failed(errors)
    case nil: break
    }
    if mode == .store {
      var expired: __ReadError?
      if let value: Value = attempt({ if $0.code == .expired { expired = $0 } }) { return .ready(value) }
      if let expired { throw expired }
      return .pending
    }
    guard let undelivered else { return .ready(try fragment()) }
    var isMissing = false
    let _: Value? = attempt { isMissing = $0.code == .missing }
    // Any other error is thrown, with its path, when the fragment is read again.
    guard isMissing else { return .ready(try fragment()) }
    if case .notExecuted = undelivered { return .notExecuted }
    return .pending
  }

  /// Reads a fragment with `@defer(if:)`. If the condition at position `condition` holds, the fragment comes with its
  /// object; otherwise it is deferred.
  public mutating func deferred<Value: SelectionSet>(
    _ i: Int, _ label: StaticString, unless condition: Int
  ) throws(__ReadError) -> DeferredFragment<Value> {
    includes(condition) ? .ready(try fragment()) : try deferred(i, label)
  }

  /// The state of a fragment in the response; nil if the response does not tell it.
  private mutating func mark(_ i: Int, _ label: StaticString) throws(__ReadError) -> DeferMark? {
    if mode == .store { return nil }
    let outer = (sink.isRepeated, needsEveryField)
    needsEveryField = false
    defer { (sink.isRepeated, needsEveryField) = outer }
    let found = try search(i)
    guard found != .absent else { return nil }
    let marks = try cursor.value() as? JSONObject
    finish(found)
    return DeferMark(marks?[label.description])
  }

  /// Reads a fragment in a reader of its own, which must find every field. If it does not, this reader is unchanged.
  private mutating func attempt<Value: SelectionSet>(_ onError: (__ReadError) -> Void = { _ in }) -> Value? {
    var probe = __ObjectReader(
      cursor.bytes, mode: mode == .store ? .store : .json, variables: variables, snapshot: source.snapshot,
      maximumDepth: cursor.maximumDepth)
    probe.needsEveryField = true
    probe.undelivered = undelivered
    probe.cursor.depth = cursor.depth
    probe.frames.push(frames.top)
    probe.frames.top.logBase = 0
    probe.frames.top.keyBits = 0
    probe.frames.top.pendingBase = 0
    probe.cursor.p = frames.top.start
    if mode == .store { probe.source.setAges(agesForPart()) }
    defer {
      source.add(probe.finishedDependencies())
      if let ages = probe.source.ages { source.ages?.take(ages.findings) }
    }
    do throws(__ReadError) {
      return try probe.fragment()
    } catch {
      onError(error)
      return nil
    }
  }
}

// MARK: - Writing

extension __JSONWriter {
  /// Writes a fragment with `@defer`: its fields if it is there, and otherwise its state.
  public mutating func write<Value: __FieldSet>(
    _ i: Int, deferred label: StaticString, _ value: DeferredFragment<Value>
  ) {
    switch value {
    case .ready(let fragment): write(fragment: fragment)
    // The state of a fragment is not a field of a record.
    case _ where recorder != nil: break
    case .pending: write(i, Marks(label: label, mark: .pending))
    case .notExecuted: write(i, Marks(label: label, mark: .notExecuted))
    case .failed(let errors): write(i, Marks(label: label, mark: .failed(errors)))
    }
  }

  private struct Marks: __JSONWritable {
    var label: StaticString
    var mark: DeferMark

    func __write(to writer: inout __JSONWriter) {
      writer.writeObject { $0.write(member: label.description, mark) }
    }
  }
}
