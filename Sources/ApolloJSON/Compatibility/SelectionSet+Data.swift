public import ApolloAPI
import Foundation

extension SelectionSet {
  /// Reads the data from JSON, under the label of Apollo iOS 1; see `init(jsonObject:variables:)`.
  ///
  /// - Parameters:
  ///   - data: The JSON object, from `JSONSerialization` or from a literal.
  ///   - variables: The variables of the operation, if it has fields with `@include` or `@skip`. The default is none.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  public init(data: JSONObject, variables: Variables = .none) throws {
    try self.init(jsonObject: data, variables: variables)
  }

  /// Reads the data from JSON, with variables as Apollo iOS 0.x and 1 have them; see `init(jsonObject:variables:)`.
  ///
  /// - Parameters:
  ///   - data: The JSON object, from `JSONSerialization` or from a literal.
  ///   - variables: The variables of the operation, such as its `__variables`. nil: none.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  @_disfavoredOverload
  public init(data: JSONObject, variables: JSONObject?) throws {
    try self.init(jsonObject: data, variables: Variables(variables ?? [:]))
  }

  /// Reads the data from JSON, with variables as Apollo iOS 0.x has them; see `init(jsonObject:variables:)`.
  ///
  /// - Parameters:
  ///   - jsonObject: The JSON object, from `JSONSerialization` or from a literal.
  ///   - variables: The variables of the operation, such as its `__variables`. nil: none.
  /// - Throws: ``ResponseDecodingError`` if the JSON does not fit the selection.
  @_disfavoredOverload
  public init(jsonObject: JSONObject, variables: JSONObject?) throws {
    try self.init(jsonObject: jsonObject, variables: Variables(variables ?? [:]))
  }

  /// Makes a model of the data of another one, as in Apollo iOS 0.x: that of a fragment of the object that has it.
  ///
  /// A field with `@include` or `@skip` is there if the other model has it, as by `init(_dataDict:)`. An initializer of
  /// the app that takes the other model comes before this one.
  ///
  /// - Parameter other: The other model.
  /// - Throws: ``ResponseDecodingError`` if its data lacks what this one selects, and ``JSONEncodingError`` if it has a
  ///   number that is infinite or NaN.
  @_disfavoredOverload
  public init(_ other: some SelectionSet) throws { self = try ResponseReader.model(Self.self, of: other) }

  /// The data as values, as in Apollo iOS 0.x: nil stands for null. It is made each time this is read.
  public var resultMap: ResultMap { jsonObject.mapValues(resultValue) }
}

/// The data of a model as values, under its name in Apollo iOS 0.x.
public typealias ResultMap = [String: Any?]

private func resultValue(_ value: JSONValue) -> Any? {
  switch value {
  case is NSNull: nil
  case let object as JSONObject: object.mapValues(resultValue) as ResultMap
  case let list as [JSONValue]: list.map(resultValue) as [Any?]
  default: value
  }
}
