// Names of types that apps use, mostly in generic functions, as of Apollo iOS 0.3x to 1.x.

/// The data of an operation, of a field or of a fragment: a ``SelectionSet`` under its name in Apollo iOS 1.
public typealias RootSelectionSet = SelectionSet
/// A type of a local cache mutation, whose members can be changed: a ``SelectionSet`` under its name in Apollo iOS 1.
public typealias MutableSelectionSet = SelectionSet
/// The data of a local cache mutation, whose members can be changed: a ``SelectionSet`` under its name in Apollo iOS 1.
public typealias MutableRootSelectionSet = SelectionSet
/// A ``SelectionSet`` under its name in Apollo iOS 0.x.
public typealias GraphQLSelectionSet = SelectionSet
/// A named ``Fragment`` under its name in Apollo iOS 0.x.
public typealias GraphQLFragment = Fragment
/// The GraphQL type `ID` under its name in Apollo iOS 0.x.
public typealias GraphQLID = String
/// The variables of an operation as values, under their name in Apollo iOS 0.x.
public typealias GraphQLMap = JSONObject
/// The value of a variable: an `__InputValue` under its name in Apollo iOS 1.
public typealias GraphQLOperationVariableValue = __InputValue
/// The value of an argument: an `__InputValue` under its name in Apollo iOS 0.x.
public typealias GraphQLInputValue = __InputValue
/// A value that a key can be made of, under its name in Apollo iOS 1 and 2: `any ScalarType` is a ``JSONValue``.
public typealias ScalarType = Sendable
/// A type of scalars that can be compared and written as JSON, under its name in Apollo iOS 1 and 2.
public typealias AnyScalarType = Hashable & JSONEncodable & Sendable
/// A type for values of fields: an `__OutputValue` under its name in Apollo iOS 1.
public typealias OutputTypeConvertible = __OutputValue
/// A type for values of fields that are objects or lists of objects: an `__OutputValue` under its name in Apollo
/// iOS 1.
public typealias SelectionSetEntityValue = __OutputValue
