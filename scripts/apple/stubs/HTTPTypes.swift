// The names of swift-http-types that this package has too.
public struct HTTPRequest { public init() {} }
public struct HTTPResponse { public init() {} }
