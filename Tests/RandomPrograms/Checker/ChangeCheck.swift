import ApolloAPI
import GraphQLExecution
import RandomAccessors
import RandomDocuments

/// Changes each leaf of a model on each way that leads to it. Then every other way has to show the new value, what is written has
/// it, and nothing else may have changed.
///
/// An object that is selected by two fragments, or beside one, has a type for each, and those are copies: a leaf of one of them
/// is left out here.
struct ChangeCheck<Operation: GraphQLOperation> {
  let exchange: Exchange<Operation>
  let data: Operation.Data
  /// The types of objects that have copies of other types.
  let sharedTypes: Set<ObjectIdentifier>
  /// Of larger models only some leaves are changed.
  private static var most: Int { 60 }

  func run() throws {
    let before = try exchange.json(data), count = leafCount()
    for leaf in stride(from: 0, to: count, by: max(1, count / Self.most)) {
      var changer = LeafChanger(passing: leaf)
      let changed = apply(&changer)
      if let object = changer.object, sharedTypes.contains(ObjectIdentifier(object)) { continue }
      let path = changer.path ?? "", after = try exchange.json(changed)
      let places = Self.differences(before, after, at: "data")
      guard places.count == 1 else { throw Mismatch("Setting \(path) changes what is written at \(places)") }
      var checker = AccessorCheck(exchange.naive)
      do {
        try checker.check(changed, after, at: "data")
      } catch {
        throw Mismatch("After setting \(path): \(error)")
      }
    }
  }

  private func leafCount() -> Int {
    var count = 0
    while true {
      var changer = LeafChanger(passing: count)
      _ = apply(&changer)
      if changer.path == nil { return count }
      count += 1
    }
  }

  private func apply(_ changer: inout LeafChanger) -> Operation.Data {
    func change<Model: HasAccessors>(_ model: Model) -> Any {
      var model = model
      model.change(&changer)
      return model
    }
    guard let model = data as? any HasAccessors else { return data }
    return change(model) as? Operation.Data ?? data
  }

  private static func differences(_ one: GraphQLValue?, _ two: GraphQLValue?, at path: String) -> [String] {
    if let one = one?.object, let two = two?.object {
      return Set(one.keys + two.keys).sorted().flatMap { differences(one[$0], two[$0], at: "\(path).\($0)") }
    }
    if let one = one?.list, let two = two?.list, one.count == two.count {
      return one.indices.flatMap { differences(one[$0], two[$0], at: "\(path)[\($0)]") }
    }
    return one == two ? [] : [path]
  }
}
