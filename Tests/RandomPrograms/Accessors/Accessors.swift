public import ApolloAPI

/// A generated type that shows all that an app can ask of it: stored properties and computed ones.
public protocol HasAccessors: Changeable {
  func visit(_ visitor: inout AccessorVisitor)
}

public struct AccessorVisitor {
  public private(set) var accessors: [(name: String, value: Any?)] = []

  public init() {}

  public mutating func callAsFunction(_ name: String, _ value: Any?) { accessors.append((name, value)) }
}

// MARK: - Changing

/// What an app can change one leaf of.
public protocol Changeable {
  mutating func change(_ changer: inout LeafChanger)
}

/// Changes one leaf of a model, on one of the ways that lead to it.
public struct LeafChanger {
  /// How many leaves are passed before one is changed.
  private var countdown: Int
  private var here: [String] = []
  /// The way to the leaf that was changed; nil if the model has not so many.
  public private(set) var path: String?
  /// The type of the object that the leaf belongs to, without the fragments on the way to it; nil for the root.
  public private(set) var object: (any Any.Type)?
  private var openObject: (any Any.Type)?

  public init(passing countdown: Int) { self.countdown = countdown }

  /// A property that can be set.
  public mutating func callAsFunction<Value>(_ name: String, _ value: inout Value) {
    // (Another type would have other fields.)
    guard path == nil, name != "__typename" else { return }
    here.append(name)
    visit(&value)
    here.removeLast()
  }

  fileprivate mutating func visit<Value>(_ value: inout Value) {
    guard path == nil, let type = Value.self as? any Changeable.Type else { return }
    change(&value, type)
  }

  private mutating func change<Value, Inner: Changeable>(_ value: inout Value, _ type: Inner.Type) {
    guard var inner = value as? Inner else { return }
    let outer = openObject
    if type is any SelectionSet.Type, !(type is any Fragment.Type) { openObject = type }
    inner.change(&self)
    openObject = outer
    if path != nil, let changed = inner as? Value { value = changed }
  }

  fileprivate mutating func leaf<Value>(_ value: inout Value, _ changed: Value) {
    guard path == nil else { return }
    if countdown == 0 {
      value = changed
      path = here.joined(separator: ".")
      object = openObject
    }
    countdown -= 1
  }

  fileprivate mutating func element<Value>(_ index: Int, _ value: inout Value) {
    here.append("\(index)")
    visit(&value)
    here.removeLast()
  }
}

extension Optional: Changeable {
  public mutating func change(_ changer: inout LeafChanger) {
    guard var value = self else { return }
    changer.visit(&value)
    if changer.path != nil { self = value }
  }
}

extension Array: Changeable {
  public mutating func change(_ changer: inout LeafChanger) {
    for index in indices where changer.path == nil { changer.element(index, &self[index]) }
  }
}

extension String: Changeable {
  public mutating func change(_ changer: inout LeafChanger) { changer.leaf(&self, self + " changed") }
}

extension Int: Changeable {
  public mutating func change(_ changer: inout LeafChanger) { changer.leaf(&self, self ^ 1) }
}

extension Double: Changeable {
  public mutating func change(_ changer: inout LeafChanger) { changer.leaf(&self, self == 2.5 ? 3.5 : 2.5) }
}

extension Bool: Changeable {
  public mutating func change(_ changer: inout LeafChanger) { changer.leaf(&self, !self) }
}

extension GraphQLEnum: Changeable {
  public mutating func change(_ changer: inout LeafChanger) { changer.leaf(&self, .unknown("CHANGED")) }
}
