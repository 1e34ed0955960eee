/// A generated type that shows all that an app can ask of it: stored properties and computed ones.
public protocol HasAccessors {
  func visit(_ visitor: inout AccessorVisitor)
}

public struct AccessorVisitor {
  public private(set) var accessors: [(name: String, value: Any?)] = []

  public init() {}

  public mutating func callAsFunction(_ name: String, _ value: Any?) { accessors.append((name, value)) }
}
