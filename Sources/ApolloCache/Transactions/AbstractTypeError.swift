public import ApolloAPI
public import Foundation

extension ApolloStore.ReadWriteTransaction {
  /// The error for a model that is to be written to the cache and has an interface or a union as its `__typename`.
  ///
  /// No object has such a type. What the model has for some types only (`asDroid`) would not be read back.
  public struct AbstractTypeError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
    /// The name of the interface or the union.
    public let typename: String
    /// The path of the object in the model: names of members and indices, such as `feed.items.0`. Empty for the model
    /// itself.
    public let path: [PathComponent]

    /// What went wrong, and what to do.
    public var description: String {
      let object = path.isEmpty ? "The model" : "'\(path.map(\.description).joined(separator: "."))'"
      return "\(object) has the '__typename' \"\(typename)\", which is an interface or a union. Set it to the type of "
        + "the object, or make the model with the part for that type and without '__typename'."
    }

    /// What went wrong, and what to do.
    public var errorDescription: String? { description }
  }
}

extension SelectionSet {
  /// Checks that no object of a model has an interface or a union as its type.
  ///
  /// - Parameter variables: The variables of the operation.
  /// - Throws: ``ApolloStore/ReadWriteTransaction/AbstractTypeError``, or `JSONEncodingError` if a scalar's type cannot be
  ///   written.
  package func checkTypes(variables: Variables) throws {
    let model = try ModelObject(self, variables: variables)
    if let error = model.abstractTypeError(at: []) { throw error }
  }
}

extension ModelObject {
  fileprivate func abstractTypeError(
    at path: [PathComponent]
  ) -> ApolloStore.ReadWriteTransaction.AbstractTypeError? {
    if isOfAbstractType, let typename { return .init(typename: typename, path: path) }
    for member in fields {
      if let error = member.value.abstractTypeError(at: path + member.names.map { .field($0) }) { return error }
    }
    return nil
  }
}

extension ModelValue {
  fileprivate func abstractTypeError(
    at path: [PathComponent]
  ) -> ApolloStore.ReadWriteTransaction.AbstractTypeError? {
    switch self {
    case .leaf: return nil
    case .object(let object): return object.abstractTypeError(at: path)
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        if let error = element.abstractTypeError(at: path + [.index(index)]) { return error }
      }
      return nil
    }
  }
}
