import ApolloAPI

/// Checks the hashes of all models in some data: equal models have equal hashes, and different ones mostly do not.
///
/// Objects with an identifier are hashed by it alone. One response has each of them with one content for each type.
struct HashCheck {
  /// The models of a type that differ, with their hashes.
  private var models: [ObjectIdentifier: [AnyHashable]] = [:]
  private var names: [ObjectIdentifier: String] = [:]

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
      let distinct = models.indices.filter { index in !models[..<index].contains(models[index]) }.map { models[$0] }
      let hashes = Set(distinct.map(\.hashValue))
      guard hashes.count > distinct.count / 2 else {
        throw Mismatch("\(distinct.count) models of the type \(name) differ, and have \(hashes.count) hashes.")
      }
    }
  }

  private mutating func add(_ value: Any) {
    if value is any __FieldSet, !(value is any Identifiable), let model = value as? any Hashable {
      let type = ObjectIdentifier(type(of: value))
      models[type, default: []].append(AnyHashable(model))
      names[type] = "\(Swift.type(of: value))"
    }
    for child in Mirror(reflecting: value).children { add(child.value) }
  }
}
