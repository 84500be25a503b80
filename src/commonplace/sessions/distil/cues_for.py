"""Words that speak for keeping a sentence, by language."""

from commonplace.sessions.distil.signs import Cues, Sign

CUES_FOR: Cues = {
    Sign.RULE: {
        "en": """always, never, from now on, everywhere, every time, in future, in the future, by default, no longer,
            at all, under no circumstances, nothing gets, without exception, for any, whenever, any time, each
            time, going forward, as a rule, no exceptions, only ever, anywhere, make sure, instead of, prefer, we
            use, we keep, avoid, stick to, every commit, every pr, every time you, only use, use only,
            exclusively, strictly, without asking, unless i, before you, before any, by convention, our
            convention, the convention is, as usual, each pr, all new""",
        "de": """immer, nie, niemals, ab jetzt, ab sofort, künftig, in zukunft, grundsätzlich, überall, auf keinen
            fall, jedes mal, generell, standardmäßig, nur noch, jede, jeder, jedes, so halten wir, vermeide,
            statt, bei uns, ausschließlich, nur mit, ausnahmslos, ohne rückfrage, bevor du, vor jedem, vor jeder,
            bei jedem, bei jeder, bei uns gilt, es gilt, konvention, so machen wir, regel, stets, prinzipiell,
            alle neuen, ab heute, ohne ausnahme""",
        "es": """siempre, nunca, jamás, a partir de ahora, de ahora en adelante, en todas partes, cada vez, por
            defecto, bajo ningún concepto, en adelante, sin excepción, evita, en lugar de, solo, exclusivamente,
            únicamente, sin preguntar, antes de cada, en cada, como norma, por norma, la norma es, sin falta,
            estrictamente, salvo que, todos los commits, a partir de hoy, desde ahora""",
        "fr": """toujours, jamais, désormais, dorénavant, à partir de maintenant, partout, chaque fois, par défaut, en
            aucun cas, à l'avenir, sans exception, systématiquement, jamais de, évite, au lieu de, exclusivement,
            uniquement, sans demander, avant chaque, à chaque, par convention, la règle, en règle générale,
            strictement, sauf si, toutes les, à partir d'aujourd'hui, obligatoirement, d'office""",
    },
    Sign.EXCLUSION: {
        "en": "no, nothing, none of, neither",
        "de": "keine, keinen, kein, keinerlei, nichts",
        "es": "nada de, ningún, ninguna, ninguno, nada",
        "fr": "rien, aucun, aucune, pas de, pas d'autre, plus de",
    },
    Sign.NEED: {
        "en": """must, must not, mustn't, needs a, need a, has to be, have to be, may not, not allowed, is required,
            are required, we have to, can't be, cannot be, should be, should never, is mandatory, is forbidden,
            not permitted, needs at least, mandatory, required, must be, must have, must use, must never, are not
            allowed, only allowed, never allowed, needs to be, need to be""",
        "de": """muss, müssen, darf nicht, dürfen nicht, darf nie, darf kein, darf nur, verpflichtend, soll, sollen,
            vorgeschrieben, muss immer, dürfen nur, dürfen keine, pflicht, erforderlich, zwingend, braucht immer,
            nicht erlaubt, verboten, unbedingt""",
        "es": """debe, deben, no se puede, no puede, no pueden, obligatorio, está prohibido, tiene que ser, tiene que,
            tienen que, prohibido, imprescindible, necesariamente, se debe, se deben, no debe, no deben, requiere""",
        "fr": """doit, doivent, ne doit pas, ne peut pas, ne peuvent pas, obligatoire, est interdit, interdit,
            indispensable, impérativement, exige, nécessaire, il ne faut pas, doit être, doivent être, n'a pas le
            droit""",
    },
    Sign.ADDRESS: {
        "en": """please, don't, do not, show me, give me, tell me, answer me, call me, ask me, remind me, i don't want,
            i want you to, i'd like you to, when you, if you, you can, yourself, keep it, use only, only use, only
            suggest, write in, answer in, reply in, don't ever, you should, i want, no need to, answer with, reply
            with, keep your, keep answers, stop using, speak to me, explain things, use metric, call it, be brief,
            remember that, note that, ask before, check with me, talk to me, your answers, i prefer you, you must,
            for me""",
        "de": """bitte, mach mir, schreib, schreibe, antworte, gib mir, zeig mir, sag mir, nenn mich, frag mich,
            erinnere mich, wenn du, falls du, ich will nicht, ich möchte nicht, ich möchte, duz, duze, sieze,
            verwende, benutze, nimm, lass, fass, halte dich, antworten bitte, sprich, erklär mir, erkläre mir,
            merk dir, halt dich, frag vorher, frag mich vorher, deine antworten, du sollst, duzen, siezen, für
            mich, mir bitte, nenne, gib immer, zeig immer""",
        "es": """por favor, no me, explícame, explíqueme, respóndeme, responde, contéstame, contesta, dame, dime,
            ponme, llámame, escríbeme, escribe, usa, pregúntame, recuérdame, cuando me, no uses, no pongas, no
            quiero que, quiero que, trátame, tutéame, hazme, avísame, no toques, no hagas, tus respuestas,
            háblame, recuerda que, ten en cuenta, pregunta antes, consúltame, explícamelo, sé breve, quiero
            respuestas, no me des, no me digas, trátame de, para mí, prefiero que""",
        "fr": """s'il te plaît, s'il vous plaît, stp, svp, réponds, réponds-moi, ne me, ne propose, ne touche,
            n'utilise, utilise, explique-moi, dis-moi, donne-moi, montre-moi, tutoie, tutoyer, vouvoie,
            appelle-moi, évite de, quand tu, si tu, fais-moi, écris, ne fais, ne mets, ne change, merci de, je
            veux que, je ne veux pas, tes réponses, parle-moi, retiens que, note que, demande-moi, demande avant,
            sois bref, souviens-toi, ne me donne, ne me parle, je préfère que, pour moi, rappelle-toi""",
    },
    Sign.TASK: {
        "en": """need to, needs to, have to, has to, must still, someone has to, someone must, somebody, remember to,
            remind me to, don't forget, to do, todo, still open, still missing, still need, still have to, left to
            do, remains to, should be done, i'll ask, i'll call, i'll send, i'll do, i must, we must, we should,
            before the, by the end of, next week, this week, follow up, on my list, has yet to, haven't yet, not
            yet done, i should, action item, outstanding, we still, i'll have to, we'll have to, remind, needs
            doing, must be, i have to, we need to, i need to, needs to be done, someone needs to, don't let me
            forget, still to do, i'm supposed to, we're supposed to, must not forget, by friday, by monday, by
            next, by tomorrow, until friday, i still, i want to send, remember that i, i promised""",
        "de": """ich muss, muss noch, müssen noch, wir müssen, es fehlt noch, fehlt noch, fehlen noch, noch zu, steht
            noch aus, offen ist noch, noch offen, nicht vergessen, daran denken, ich sollte noch, wir sollten
            noch, bis ende, nächste woche, diese woche, mache ich, kümmere mich, erledigen, einholen, anfragen,
            bestellen, beantragen, besorgen, erfragen, nachfragen, anrufen, buchen, kündigen, ausfüllen, bleibt
            noch, zu tun, brauche noch, sollte noch, ich sollte, jemand muss, müsste noch, wir brauchen noch, ich
            brauche noch, bis freitag, bis montag, bis nächste, bis spätestens, abholen, überweisen, verlängern,
            vorbereiten, abgeben, einreichen, besprechen, klären, noch klären, erinnern, nachreichen, abschicken,
            verschicken, aktualisieren""",
        "es": """tengo que, tenemos que, hay que, me falta, nos falta, falta, faltan, queda pendiente, pendiente,
            quedan, queda por, acordarme de, no olvidar, recordar, debo, debería llamar, antes del, antes de que,
            esta semana, la semana que viene, la próxima semana, por hacer, habría que, he de, alguien tiene que,
            necesito, alguien tiene, queda, quedaría, me queda, nos queda, sin hacer, no se me olvide, que no se
            me olvide, antes del viernes, antes del lunes, llamar a, pedir cita, renovar, entregar, enviar,
            comprar, preparar, revisar antes""",
        "fr": """il faut, il faut que, faut que, il reste à, reste à, restent à, penser à, ne pas oublier, n'oublie
            pas, je dois, on doit, nous devons, à faire, il manque, manque encore, avant le, avant la, avant de,
            cette semaine, la semaine prochaine, je ferai, je le ferai, je m'en occupe, à prévoir, doit encore,
            faudra, il faudra, pense à, à rappeler, quelqu'un doit, il nous faut, il me faut, d'ici, d'ici
            vendredi, avant vendredi, avant lundi, appeler, rappeler, renouveler, rendre, envoyer avant, acheter,
            préparer, prendre rendez-vous, faut encore, reste encore, oublier de""",
    },
    Sign.DATE: {
        "en": """january, february, march, april, june, july, august, september, october, november, december, jan, feb,
            aug, sept, oct, nov, dec, monday, tuesday, wednesday, thursday, friday, saturday, sunday, mondays,
            tuesdays, wednesdays, thursdays, fridays, saturdays, sundays, deadline, due, tomorrow, next month,
            next year, last year, spring, summer, autumn, winter, easter, christmas, weekend, utc, o'clock""",
        "de": """januar, februar, märz, mai, juni, juli, oktober, dezember, montag, dienstag, mittwoch, donnerstag,
            freitag, samstag, sonntag, montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags,
            uhr, termin, frist, nächsten monat, nächstes jahr, letztes jahr, sommer, frühling, herbst, übermorgen,
            ostern, weihnachten""",
        "es": """enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre, diciembre,
            lunes, martes, miércoles, jueves, viernes, sábado, sábados, domingo, domingos, mañana, plazo, el año
            que viene, el mes que viene, verano, otoño, invierno, primavera, navidad""",
        "fr": """janvier, février, mars, avril, juin, juillet, août, septembre, octobre, novembre, décembre, lundi,
            mardi, mercredi, jeudi, vendredi, samedi, dimanche, lundis, mardis, jeudis, vendredis, samedis,
            dimanches, demain, échéance, l'an prochain, le mois prochain, été prochain, printemps, automne, hiver,
            pâques, noël""",
    },
    Sign.REASON: {
        "en": "because, so that, since, otherwise, due to, that's why, therefore, as the, on account of, the reason",
        "de": "weil, damit, sonst, denn, wegen, deswegen, deshalb, daher, andernfalls, da der, da die, da das",
        "es": "porque, para que, ya que, así que, por eso, si no, puesto que, debido a, o si no, que luego",
        "fr": """parce que, parce qu'il, parce qu'on, car, pour que, sinon, puisque, c'est pourquoi, à cause, du coup,
            vu que""",
    },
    Sign.CAUSE: {
        "en": """came from, come from, comes from, caused by, was caused, were caused, the cause, root cause, turned
            out, the culprit, which made, which took, brought the, reduced, fixed it, instead of being, explained
            by, results from, stems from, stemmed from, led to, due to, boiled down to, the reason was, the
            problem was, the issue was, was failing because""",
        "de": """entsteht, entstand, entstanden, lag an, liegt daran, lag daran, kam von, kommt von, kamen von, die
            ursache, ursache, verursacht, ausgelöst, schuld war, grund war, stellte sich heraus, rührt""",
        "es": """venía de, venían de, venía del, venían del, viene de, se debía, se debían, se debe a, la causa,
            causado por, causaba, culpa de, resultó, el motivo, provocaba, provocado por, el problema era""",
        "fr": """venait de, venait du, venaient de, viennent de, viennent du, vient de la, vient du, la cause, causé
            par, causée par, provoqué, provoquait, dû à, due à, à l'origine, s'explique, empêchait, le problème
            était""",
    },
    Sign.DECISION: {
        "en": """we decided, i decided, decided, decision, we go for, we're going with, going with, go with, we'll use,
            we'll go, let's go, let's say, let's use, let's do, let's look, let's keep, let's take, let's stick,
            we're moving, moving off, we won't, i won't, stays, we stay, settled on, we chose, i chose, we picked,
            agreed, then we, so we, instead, i'd rather, is the default, we agreed, the plan is, final answer,
            i'll take, we'll take, we'll keep, no more, we're using, we will use, i've decided, we've decided,
            we'll stay, i'm going with, we'll do, we settled, the decision, ended up, let's not, we're keeping,
            i'm keeping, we're dropping, we dropped, we switched, we moved, sticking with, i'll go with, we go
            with""",
        "de": """wir haben beschlossen, haben entschieden, entschieden, beschlossen, wir nehmen, nehmen wir, machen
            wir, wir machen, so machen wir's, dann machen wir, bleiben wir bei, wir bleiben, bleibt, es bleibt
            bei, lieber, dann also, wir gehen, dann nehmen, wir setzen, einigen, geeinigt, wird künftig, ich
            nehme, dann nehm, wir verwenden, wir benutzen, ich bleibe, ich habe mich, wir haben uns, wird ersetzt,
            steigen um, umgestiegen, umgestellt, abgeschafft, wir lassen, dann doch, fest steht, steht fest,
            ausgemacht, abgemacht, wir wechseln, gewechselt""",
        "es": """hemos decidido, decidimos, decidido, decisión, vamos con, vamos a, nos quedamos con, me quedo con,
            quedamos en, al final, mejor, entonces, lo hacemos, elegimos, pues nada, usamos, usaremos, pasamos a,
            dejamos, hemos quedado, hemos elegido, he decidido, nos hemos, seguimos con, cambiamos a, hemos
            cambiado, lo dejamos, acordamos, hemos acordado, optamos, me decido, iremos con, se queda""",
        "fr": """on a décidé, nous avons décidé, décidé, décision, on part sur, on prend, on garde, on reste, je
            prends, on va, alors, finalement, on choisit, on passe à, c'est décidé, on utilise, plutôt, j'ai
            décidé, on a choisi, on s'est mis, on bascule, on abandonne, on laisse, on est passés, on change, on a
            changé, convenu, on continue, je garde, c'est acté, retenu, on opte""",
    },
    Sign.PREFERENCE: {
        "en": """prefer, prefers, like, likes, dislike, dislikes, hate, hates, love, loves, enjoy, favourite, favorite,
            can't stand, i'd like to, i'd rather, would rather, works better, works best, works for me, i want to,
            want, wants, allergic, vegetarian, vegan, can't eat, don't eat, doesn't eat, avoids, would like,
            intolerant, diabetic, gluten, lactose, halal, kosher, coeliac, celiac, asthma, afraid of, fan of, not
            a fan, can't have, pregnant, bothers me, comfortable""",
        "de": """mag, mögen, lieber, am liebsten, hasse, liebe, bevorzuge, lieblings, gerne, ungern, vegetarisch,
            vegetarier, vegetarierin, vegan, allergisch, verträgt, vertrage, esse, isst, ich will, wir wollen,
            möchten, laktose, diabetes, unverträglichkeit, intoleranz, diabetiker, diabetikerin, gluten, zöliakie,
            asthma, angst vor, kein fan, schwanger, mag ich, mag kein, liebsten, gefällt mir, gefällt, hasst,
            liebt, stört mich, veganer, veganerin""",
        "es": """prefiero, prefiere, me gusta, me gustan, no me gusta, odio, le gusta, me encanta, favorito, favorita,
            me funciona, alérgico, alérgica, vegetariano, vegetariana, vegano, vegana, celíaco, celíaca, no como,
            no come, quiero, queremos, intolerante, diabético, diabética, gluten, lactosa, asma, miedo a,
            embarazada, me molesta, no soporto, le encanta, me viene mejor, no me viene""",
        "fr": """préfère, préfères, préférons, j'aime, je n'aime pas, aime, n'aime pas, déteste, adore, favori,
            préféré, allergique, végétarien, végétarienne, ne mange pas, ne mangeons pas, ne veut pas, ne voulons
            pas, on veut, je veux, on ne veut, intolérant, intolérante, diabétique, gluten, lactose, asthme, peur
            de, enceinte, j'adore, ne supporte pas, me dérange, n'aime, aiment, préfèrent, me convient,
            préférerais""",
    },
    Sign.PERSONAL: {
        "en": """my, our, i'm, i am, i've, i have, we have, we've, i work, i live, we live, i get, i read, i do, i
            study, husband, wife, daughter, son, mother, father, brother, sister, dog, cat, kids, children, boss,
            supervisor, editor, team, colleague, neighbour, partner, customer, customers, client, we're, i'm in,
            us, mine, ours, girlfriend, boyfriend, fiancé, fiancée, grandmother, grandfather, grandma, parents,
            roommate, flatmate, baby, twins, uncle, aunt, cousin, friend, manager, landlord, teacher, students,
            colleagues, i use, i run, we run, i own, we own, i speak, i play, i teach, i'm a, we rent, i drive, i
            was diagnosed, i take, i wear, i grew up, i was born, my name, we're a, i sleep, i train""",
        "de": """mein, meine, meinem, meinen, meiner, unser, unsere, unserem, unseren, unserer, ich bin, wir sind, ich
            habe, wir haben, ich hatte, ich arbeite, ich wohne, ich baue, uns, frau, mann, tochter, sohn, mutter,
            vater, bruder, schwester, hund, katze, kinder, chef, chefin, kollege, kollegin, team, kunde, kunden,
            verein, ich schlafe, ich darf, wir wohnen, freundin, freund, verlobte, oma, opa, eltern, mitbewohner,
            mitbewohnerin, zwillinge, onkel, tante, cousin, vermieter, nachbar, nachbarin, lehrer, lehrerin,
            schüler, kollegen, firma, ich nutze, wir nutzen, ich fahre, ich spreche, ich spiele, ich trage, ich
            nehme, ich heiße, wir mieten, ich leite, ich unterrichte, ich lerne, ich studiere, ich esse, wir
            essen, sohnes, bei mir, hab einen, hab eine, habe einen, habe eine""",
        "es": """mi, mis, nuestro, nuestra, nuestros, nuestras, tengo, tenemos, trabajo, trabajamos, vivo, vivimos,
            soy, somos, estoy, mujer, marido, hija, hijo, madre, padre, hermano, hermana, perro, gato, niños,
            jefe, jefa, equipo, compañero, compañera, cliente, clientes, empleada, empleado, llevo, puedo,
            podemos, novia, novio, abuela, abuelo, padres, compañeros, bebé, gemelos, tío, tía, primo, amiga,
            amigo, casero, vecina, vecino, profesora, profesor, alumnos, empresa, uso, usamos, hablo, juego,
            estudio, me llamo, alquilamos, conduzco, duermo, tomo, doy clase, soy de, llevamos, pareja, familia,
            suegra""",
        "fr": """mon, ma, mes, notre, nos, j'ai, nous avons, on a, je suis, nous sommes, on est, on sera, je travaille,
            j'habite, femme, mari, fille, fils, mère, père, frère, sœur, chien, chat, enfants, chef, équipe,
            collègue, client, clients, je vis, famille, chez nous, copine, copain, fiancé, fiancée, grand-mère,
            grand-père, parents, coloc, bébé, jumeaux, oncle, tante, cousin, amie, ami, propriétaire, voisine,
            voisin, prof, élèves, collègues, entreprise, boîte, j'utilise, on utilise, je parle, je joue, je fais,
            je prends, je m'appelle, on loue, je conduis, je dors, j'étudie, je dirige, conjoint, belle-mère,
            compagne, compagnon""",
    },
    Sign.BOUND: {
        "en": """at most, at least, up to, under, maximum, minimum, max, limit, cap, caps, capped, only, budget, until,
            frozen, reserved, not compatible, no access, except, all in, per, between, restricted, without,
            mandatory, compliance, comply, not more than, no more than, less than, more than, within, exactly,
            hard limit, deadline, each, every day, every week, per week, twice a week, once a week, usually,
            normally, the only, fixed, cannot, can't, out of scope, read-only""",
        "de": """höchstens, mindestens, maximal, nur, budget, bis zum, ohne, begrenzt, gesperrt, zwischen, pflicht,
            vorgeschrieben, reserviert, limit, nicht mehr als, außer, eingefroren, pro, weniger als, mehr als,
            innerhalb, genau, jeden tag, jede woche, pro woche, zweimal, einmal pro, meistens, normalerweise, der
            einzige, die einzige, das einzige, fest, kann nicht, können nicht, geht nicht über, spätestens,
            frühestens""",
        "es": """como máximo, máximo, mínimo, al menos, hasta, solo, sólo, presupuesto, sin, limitado, obligatorio,
            reservado, entre, no podemos, no más de, salvo, límite, cuesta, menos de, más de, dentro de,
            exactamente, cada día, cada semana, por semana, dos veces, una vez, normalmente, el único, la única,
            fijo, no puedo, a más tardar, como mucho, todos los""",
        "fr": """au maximum, maximum, minimum, au moins, jusqu'à, seulement, budget, sans, limité, obligatoire,
            réservé, entre, pas plus de, ne peut pas, sauf, dépasser, limite, uniquement, moins de, plus que, au
            plus, exactement, chaque jour, chaque semaine, par semaine, deux fois, une fois, normalement, le seul,
            la seule, fixe, je ne peux pas, au plus tard, tous les, toutes les, d'habitude""",
    },
    Sign.SETTING: {
        "en": """project, repo, repository, stack, setting, context, service, pipeline, codebase, monorepo, topic,
            theme, subject, background, thesis, the app""",
        "de": "projekt, repo, repository, dienst, anwendung, website, webseite, thema, hintergrund, kontext, aufbau",
        "es": "proyecto, repositorio, servicio, aplicación, tema, contexto",
        "fr": "projet, dépôt, service, application, sujet, contexte, pipeline",
    },
    Sign.STATE: {
        "en": """belongs to, belong to, owns, leads, name is, is called, are called, named, is named, stands for,
            means, is set to, are set to, runs on, runs in, run on, is based, uses, supports, requires, connects
            to, connects via, is at, is in, lives in, is located, responsible for, in charge of, managed by,
            maintained by, owned by, reports to, works at, works for, works as, consists of, is stored, are
            stored, is kept, are kept, comes with, depends on, expects, handles, reviews, is written in, are
            written, has a, have a, has the, costs, takes care, is hosted, are hosted, is written, is run, is done
            by, deploys, is the one, are the ones, is deployed, goes through, is responsible, takes place, is
            built, has two, has three, have two, have three, there are, there is, comes from, ships, sends, reads
            from, writes to, listens, is due""",
        "de": """gehört, gehören, heißt, heißen, zuständig, verantwortlich, leitet, betreut, läuft auf, läuft unter,
            laufen auf, laufen unter, liegt bei, liegen bei, liegt auf, liegt in, liegt im, liegen in, bedeutet,
            steht für, basiert, nutzt, nutzen, verwendet, verwenden, braucht, brauchen, wohnt, wohnen, arbeitet,
            kostet, besteht aus, kommt aus, kommen aus, unterstützt, ist bei, hat einen, hat eine, hat nur, haben
            einen, haben eine, erwartet, kümmert sich, gehostet, ist geschrieben, wird gemacht, findet statt,
            besitzt, geht über, kommt von, liefert, schickt, es gibt, gibt es, befindet, ist der, ist die, ist
            das, sind die, steht in, steht im, steht auf, wird von, werden von, hat zwei, hat drei, macht immer""",
        "es": """pertenece, pertenecen, se llama, se llaman, significa, responsable de, encargada, encargado, se
            encarga, lleva el, lleva la, usa, usan, usamos, funciona con, corre en, corre sobre, está en, están
            en, vive en, trabaja en, trabaja como, depende de, cuesta, consta de, necesita, soporta, tiene un,
            tiene una, tienen, la lleva, lo lleva, se guarda, se guardan, está escrito, alojado, alojada, se hace,
            se celebra, hay dos, hay tres, va por, pasa por, viene de, manda, envía, se ocupa, es la que, es el
            que, es quien, son los, son las, se despliega, guarda""",
        "fr": """appartient, appartiennent, s'appelle, s'appellent, signifie, veut dire, responsable de, s'occupe,
            gère, gèrent, tourne sur, tourne sous, tournent sur, tournent sous, est chez, sont chez, est dans,
            sont dans, utilise, utilisent, habite, travaille, dépend de, coûte, comprend, nécessite, est hébergé,
            sont stockés, est stocké, a un, a une, ont un, se trouve, est écrit, est écrite, hébergée, se fait, a
            lieu, il y a, passe par, provient, envoie, livre, c'est elle qui, c'est lui qui, est le, est la, sont
            les, se déploie, dirige, possède, est géré, est gérée""",
    },
}
