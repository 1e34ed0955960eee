import ApolloAPI

/// Checks the hashes of all models in some data: equal models have equal hashes, and different ones mostly do not.
///
/// Objects with a field `id` are hashed by it alone. Those that differ may have one hash, and so may what holds them.
struct HashCheck {
  /// The models of a type that differ, with their hashes.
  private var models: [ObjectIdentifier: [AnyHashable]] = [:]
  private var names: [ObjectIdentifier: String] = [:]
  private var holders: Set<ObjectIdentifier> = []

  /// Checks data, and the same data that were read once more.
  static func run(_ data: Any, again: Any) throws {
    var check = HashCheck()
    check.add(data)
    let first = check.models
    check.models = [:]
    check.add(again)
    for (type, models) in first {
      let others = check.models[type] ?? [], name = check.names[type] ?? ""
      guard models == others, models.map(\.hashValue) == others.map(\.hashValue) else {
        throw Mismatch("Equal models of the type \(name) have different hashes.")
      }
      if check.holders.contains(type) { continue }
      let distinct = models.indices.filter { index in !models[..<index].contains(models[index]) }.map { models[$0] }
      let hashes = Set(distinct.map(\.hashValue))
      guard hashes.count > distinct.count / 2 else {
        throw Mismatch("\(distinct.count) models of the type \(name) differ, and have \(hashes.count) hashes.")
      }
    }
  }

  /// - Returns: Whether the value has a field `id`, or holds a value that has one.
  @discardableResult
  private mutating func add(_ value: Any) -> Bool {
    var isHolder = value is any Identifiable
    for child in Mirror(reflecting: value).children where add(child.value) { isHolder = true }
    if value is any __FieldSet, !(value is any Identifiable), let model = value as? any Hashable {
      let type = ObjectIdentifier(type(of: value))
      models[type, default: []].append(AnyHashable(model))
      names[type] = "\(Swift.type(of: value))"
      if isHolder { holders.insert(type) }
    }
    return isHolder
  }
}
