public typealias DateTime = String

public enum Episode: Codable, Hashable, Sendable {
  case newhope, empire, jedi
  case unknown(String)

  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    switch name {
    case "NEWHOPE": self = .newhope
    case "EMPIRE": self = .empire
    case "JEDI": self = .jedi
    default: self = .unknown(name)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .newhope: try container.encode("NEWHOPE")
    case .empire: try container.encode("EMPIRE")
    case .jedi: try container.encode("JEDI")
    case .unknown(let name): try container.encode(name)
    }
  }
}
