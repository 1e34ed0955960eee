// What GRDB names of it.
import Foundation

public typealias CGFloat = Foundation.CGFloat
