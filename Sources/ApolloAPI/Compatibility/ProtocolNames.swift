// Names of types that the code of apps mentions, mostly in generic functions, in releases 0.3x to 1.x of Apollo iOS.

/// The data of an operation, of a field or of a fragment, by its name in releases 1.x: a ``SelectionSet``.
public typealias RootSelectionSet = SelectionSet
/// A ``SelectionSet`` whose members can be changed, by its name in releases 1.x: all generated types of a local cache mutation.
public typealias MutableSelectionSet = SelectionSet
/// A ``SelectionSet`` whose members can be changed, by its name in releases 1.x: all generated types of a local cache mutation.
public typealias MutableRootSelectionSet = SelectionSet
/// A ``SelectionSet``, by its name in releases 0.x.
public typealias GraphQLSelectionSet = SelectionSet
/// A named ``Fragment``, by its name in releases 0.x.
public typealias GraphQLFragment = Fragment
/// The GraphQL type `ID`, by its name in releases 0.x.
public typealias GraphQLID = String
/// The variables of an operation as values, by their name in releases 0.x.
public typealias GraphQLMap = JSONObject
/// A value of a variable, by its name in releases 1.x: an ``__InputValue``.
public typealias GraphQLOperationVariableValue = __InputValue
/// A value of an argument, by its name in releases 0.x: an ``__InputValue``.
public typealias GraphQLInputValue = __InputValue
/// A type for values of fields, by its name in releases 1.x: an ``__OutputValue``.
public typealias OutputTypeConvertible = __OutputValue
/// A type for values of fields that are objects, or lists of objects, by its name in releases 1.x: an ``__OutputValue``.
public typealias SelectionSetEntityValue = __OutputValue
