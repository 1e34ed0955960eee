public import ApolloAPI

/// The policies of Apollo iOS 1, under their name in Apollo iOS 2.
public typealias CachePolicy_v1 = CachePolicy

/// A JSON object whose values may be written as JSON, under its name in Apollo iOS 1: strings, numbers, lists, objects,
/// and `Variables`.
public typealias JSONEncodableDictionary = JSONObject
