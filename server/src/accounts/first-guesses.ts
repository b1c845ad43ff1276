/**
 * The most common passwords of published leaks with at least eight characters, in lower case, without what people add at
 * the ends (`Password1!` is `password`). A guesser tries these first.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `password passwort passw0rd p@ssw0rd p@ssword pa$$word pa$$w0rd passwords password1password mypassword thepassword
  contraseña contrasena motdepasse wachtwoord salasana parola123 senha123 administrator admin admin123 adminadmin
  adminpassword administrador rootroot root toor changeme changeit changethis letmein letmeinnow welcome willkommen
  bienvenue bienvenido trustno iloveyou iloveyou1 iloveu ilovegod ilovejesus lovelove loveyou loveme lovely
  sunshine princess football baseball basketball volleyball softball superman batman spiderman starwars dragon
  master monkey shadow michael jennifer jessica michelle nicole daniel charlie jordan hunter harley ranger
  computer internet whatever trustnoone blink182 liverpool chelsea arsenal barcelona realmadrid manchester juventus
  qwerty qwertyui qwertyuio qwertyuiop qwertz qwertzui qwertzuiop azerty azertyui azertyuiop asdfghjk asdfghjkl asdfasdf
  zxcvbnm zxcvbnm, qazwsx qazwsxedc q1w2e3r4 q1w2e3r4t5 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx zaq1zaq1 qweasdzxc
  qwerqwer qweqweqwe qweasd asdqwe123 abcd1234 abc123456 abcabcabc a1b2c3d4 a1b2c3d4e5 aa123456 a123456789 abcdef abcdefg
  1234qwer qwer1234 1234abcd 123qweasd 123qweasdzxc q123456789 123abc123 123123123 121212121 11223344 1122334455
  112233445566 123321123 12344321 123454321 147258369 147852369 741852963 789456123 987654321 159753456 159357456
  1234567890 0987654321 20202020 10203040 102030405060 13131313 69696969 12121212 00112233 01010101 11110000 11112222 12341234 31415926
  corvette mercedes ferrari mustang chocolate butterfly elephant pokemon naruto minecraft fortnite playstation nintendo
  christian jesuschrist blessed heaven victoria elizabeth alexander alexandra christopher samantha stephanie veronica
  november december september october february january saturday thursday wednesday midnight summertime
  summer winter spring autumn sommer hello hellohello helloworld goodbye secret secretsecret topsecret access
  freedom forever america american american1 australia canada england germany deutschland france italia mexico brasil
  default temporary temppass temp1234 testtest testing tester test test1234 guest guestguest login loginlogin signin
  security unknown nothing something anything everything example examples database server system sysadmin manager
  fuckyou fuckyou1 fuckoff asshole bullshit pussycat metallica nirvana slipknot eminem rockstar rockyou kingkong godzilla
  snoopy garfield scooby scoobydoo mickeymouse tinkerbell cinderella babygirl sweetheart sweetpea beautiful handsome
  startrek matrix gandalf gandalf1 hobbit voyager scorpion phoenix thunder lightning firebird blackbird bluebird
  slipway slipway1 workspace company business office`.split(/\s+/),
)
